import { Link } from '@tanstack/react-router'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Icon, iconOf } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { maxCompared, type Product } from './store.ts'

/** `open`: its details are shown, with their own button to sell. */
type Props = { product: Product; open: boolean; compared: boolean; isFull: boolean; onCompare: () => void; onDetails: () => void }

/** One product: its main covers, the agency's commission, and a link to sell it. */
export function ProductCard({ product, open, compared, isFull, onCompare, onDetails }: Props) {
  const { words } = useWords()
  const showsCommission = useShowsCommission()
  const { uuid, name, type, icon, description, detailsFeatured, productBuCommission } = product
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto] gap-4 rounded-lg border border-line bg-sheet p-(--card)">
      <header className="flex items-start gap-3">
        <span className="grid size-10 shrink-0 place-items-center rounded-md bg-accent-soft text-accent-ink">
          <Icon name={iconOf(icon)} className="size-5" />
        </span>
        <div className="grid min-h-10 min-w-0 flex-1 content-center justify-items-start gap-1">
          <h2 className="text-lg leading-6 font-semibold text-balance">{name}</h2>
          <p className="text-sm text-quiet">
            {type}
            {showsCommission && productBuCommission !== null && ` · ${words('products.commission', { percent: productBuCommission })}`}
          </p>
        </div>
      </header>
      <div className="grid content-start gap-3">
        <p className="line-clamp-3 text-quiet">{description}</p>
        <dl className="grid text-sm">
          {detailsFeatured.map(({ itemUUID, name, value }) => (
            <div key={itemUUID} className="flex justify-between gap-4 border-t border-line py-1.5">
              <dt className="text-quiet">{name}</dt>
              <dd className="text-right font-medium">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <footer className="flex flex-wrap items-center gap-2">
        <span className={`empty:hidden ${open ? 'invisible' : ''}`}>
          <SellLink uuid={uuid} name={name} />
        </span>
        <Button look="quiet" onClick={onDetails} aria-label={words('products.details_of', { product: name })}>
          {words('products.details')}
        </Button>
        <div className="ml-auto">
          <Checkbox
            name="compare"
            label={
              <>
                {words('products.to_compare')} <span className="sr-only">{name}</span>
              </>
            }
            checked={compared}
            onChange={on => {
              if (on && isFull) showToast({ severity: 'info', summary: words('products.compare_most', { most: maxCompared }) })
              else onCompare()
            }}
          />
        </div>
      </footer>
    </li>
  )
}

/** Links to the sale of a product, for users who may sell. */
export function SellLink({ uuid, name }: { uuid: string; name: string }) {
  const { words } = useWords()
  const access = useMay('b2b-access')
  const sells = useMay('b2b-products-sell')
  if (!access || !sells) return null
  return (
    <Link
      to="/funnel"
      search={{ product: uuid }}
      className={buttonLook('quiet')}
      aria-label={words('products.sell_named', { product: name })}
    >
      {words('products.sell')}
    </Link>
  )
}
