import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { EmptyState } from '#portal/kit/ui/card.tsx'
import { later } from '#portal/kit/page/later.tsx'
import { Page } from '#portal/kit/page/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { type LeastPrice, ProductRow, SellLink } from './product-row.tsx'
import { maxCompared, type Product, useProducts } from './store.ts'

const [ProductDetails] = later(async () => (await import('./product-details.tsx')).ProductDetails)

const route = getRouteApi('/inside/products')

type Props = {
  /** The buttons of the catalogue, for the products chosen for comparison. */
  renderCompare: (products: readonly Product[]) => ReactNode
  /** A product without one is shown without it. */
  least: readonly LeastPrice[] | undefined
  /** Content above all else. */
  day?: ReactNode
  /** Content above the products. */
  line?: ReactNode
  /** Sales to continue, shown with the catalogue. */
  begun?: ReactNode
  /** Replaces the catalogue, with its own buttons. */
  results?: ReactNode
}

/** The products that the agency sells. The URL keeps the open one. */
export function ProductsPage({ renderCompare, least, day, line, begun, results }: Props) {
  const { words } = useWords()
  const maySell = useMay('b2b-products-sell')
  const products = useProducts(({ products }) => products)
  const { product: shown } = route.useSearch()
  const navigate = route.useNavigate()
  const [chosen, setChosen] = useState<string[]>([])
  const show = (product: string | undefined) => void navigate({ search: product === undefined ? {} : { product }, resetScroll: false })
  const detailed = products.find(({ uuid }) => uuid === shown)
  const toggle = (uuid: string) => setChosen(before => (before.includes(uuid) ? before.filter(each => each !== uuid) : [...before, uuid]))

  return (
    <Page
      title={words('products.title')}
      hideTitle={Boolean(results)}
      intro={maySell && words(line ? 'line.intro' : 'products.intro')}
      actions={results ? undefined : renderCompare(products.filter(({ uuid }) => chosen.includes(uuid)))}
    >
      {day}
      {line}
      {!results && begun}
      {results ||
        (products.length === 0 ? (
          <EmptyState icon="shield" title={words('products.empty')}>
            {words('products.empty_hint')}
          </EmptyState>
        ) : (
          <ul aria-label={words('products.title')} className="divide-y divide-line rounded-lg border border-line bg-sheet">
            {products.map(product => (
              <ProductRow
                key={product.uuid}
                product={product}
                least={least?.find(({ productUUID }) => productUUID === product.uuid)}
                open={product === detailed}
                compared={chosen.includes(product.uuid)}
                isFull={chosen.length >= maxCompared}
                onCompare={() => toggle(product.uuid)}
                onDetails={() => show(product.uuid)}
              />
            ))}
          </ul>
        ))}
      {detailed && (
        <ProductDetails
          product={detailed}
          actions={!results && <SellLink uuid={detailed.uuid} name={detailed.name} />}
          onClose={() => show(undefined)}
        />
      )}
    </Page>
  )
}
