import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { settings as settingsCall } from '#common/business-unit/calls.ts'
import { products as productsCall } from '#common/products/calls.ts'
import { endSession } from '#common/session/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { sessionQuery } from '#portal/session/session.ts'

/** What the agency sells. */
export function ProductsPage() {
  const { words, locale } = useWords()
  const { data: user } = useSuspenseQuery(sessionQuery)
  const { data: unit } = useSuspenseQuery({ queryKey: ['settings', locale], queryFn: () => ask(settingsCall, {}) })
  const { data: products } = useSuspenseQuery({ queryKey: ['products', locale], queryFn: () => ask(productsCall, {}) })
  const navigate = useNavigate()
  const router = useRouter()
  async function signOut() {
    await ask(endSession, {}).catch(() => undefined)
    router.options.context.queries.clear()
    await navigate({ to: '/auth/sign-in', search: {} })
  }
  return (
    <div className="mx-auto grid max-w-6xl gap-6 p-4 sm:p-8">
      <header className="flex flex-wrap items-center gap-3 border-b border-line pb-4">
        <img src={unit.logo} alt="" width={36} height={36} />
        <p className="font-semibold">{unit.brandName}</p>
        <p className="ml-auto text-sm text-quiet">{user?.name}</p>
        <Button look="quiet" onClick={() => void signOut()}>
          {words('session.sign_out')}
        </Button>
      </header>
      <main className="grid gap-6">
        <h1 className="text-2xl font-semibold tracking-tight">{words('products.title')}</h1>
        {products.length === 0 && <p className="text-quiet">{words('products.empty')}</p>}
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {products.map(product => (
            <li key={product.uuid} className="grid content-start gap-3 rounded-lg border border-line bg-sheet p-5">
              <h2 className="font-semibold">{product.name}</h2>
              <p className="text-sm text-quiet">{product.description}</p>
              <dl className="grid gap-1 text-sm">
                {product.detailsFeatured.map(({ itemUUID, name, value }) => (
                  <div key={itemUUID} className="flex justify-between gap-4 border-t border-line pt-1">
                    <dt className="text-quiet">{name}</dt>
                    <dd className="text-right font-medium">{value}</dd>
                  </div>
                ))}
              </dl>
              {product.productBuCommission !== null && (
                <p className="text-sm text-quiet">{words('products.commission', { percent: product.productBuCommission })}</p>
              )}
            </li>
          ))}
        </ul>
      </main>
    </div>
  )
}
