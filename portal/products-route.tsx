import { useState } from 'react'
import { CompareButton } from '#portal/funnel/compare/compare-button.tsx'
import { QuoteFirst } from '#portal/funnel/quote/quote-first.tsx'
import { type TripForm, useFunnel } from '#portal/funnel/store.ts'
import { useWords } from '#portal/kit/words.tsx'
import { ProductsPage } from '#portal/products/products-page.tsx'
import { useProducts } from '#portal/products/store.ts'
import { useMay } from '#portal/session/session.ts'

const loadSale = () => import('#portal/funnel/funnel-page.tsx')

/** The products: with prices for a trip for users who sell, else as a catalogue. A purchase under way must be completed first. */
export function ProductsRoute() {
  const products = useProducts(({ products }) => products)
  const [access, sells] = [useMay('b2b-access'), useMay('b2b-products-sell')]
  const isBuying = useFunnel(({ bought }) => bought !== undefined && !bought.done)
  return access && sells && !isBuying && products.length > 0 ? (
    <QuoteFirst products={products} loadNext={loadSale} renderPage={parts => <ProductsPage {...parts} />} />
  ) : (
    <Catalogue />
  )
}

/** The products, and the funnel's comparison of them, which asks for a trip. That trip is kept until the page is left. */
function Catalogue() {
  const { words } = useWords()
  const [trip, setTrip] = useState<TripForm>()
  return (
    <ProductsPage
      renderCompare={products => (
        <CompareButton products={products} trip={trip} onClose={setTrip}>
          {words('products.compare', { count: products.length })}
        </CompareButton>
      )}
    />
  )
}
