import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useState } from 'react'
import { leastPrices } from '#common/quotes/calls.ts'
import { CompareButton } from '#portal/funnel/compare/compare-button.tsx'
import { QuoteFirst } from '#portal/funnel/quote/quote-first.tsx'
import { type TripForm, useFunnel, useSaleEntry } from '#portal/funnel/store.ts'
import { ErrorBoundary } from '#portal/kit/errors/error-boundary.tsx'
import { loadingOf } from '#portal/kit/queries.ts'
import { isTypingIn } from '#portal/kit/shortcuts/shortcuts.ts'
import { buttonLook } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { dayQuery, DayStrip, type LinkOf, moreLook } from '#portal/policies/day/day-strip.tsx'
import { NewestQuotes } from '#portal/policies/day/newest-quotes.tsx'
import { ProductsPage } from '#portal/products/products-page.tsx'
import { productOf, useProducts } from '#portal/products/store.ts'
import { useMay } from '#portal/session/session.ts'

const loadSale = () => import('#portal/funnel/funnel-page.tsx')

/** The products: with prices for a trip for users who sell, else as a catalogue. A purchase under way must be completed first. */
export function ProductsRoute() {
  const products = useProducts(({ products }) => products)
  const [access, sells] = [useMay('b2b-access'), useMay('b2b-products-sell')]
  const isBuying = useFunnel(({ bought }) => bought !== undefined && !bought.done)
  return access && sells && !isBuying && products.length > 0 ? (
    <QuoteFirst products={products} loadNext={loadSale} renderPage={parts => <Home {...parts} />} />
  ) : (
    <Catalogue />
  )
}

type HomeParts = Omit<ComponentProps<typeof ProductsPage>, 'least' | 'day' | 'begun'>

/** The products with the price from which each is on sale, the tasks of the day, and what can be continued. */
function Home(parts: HomeParts) {
  const { data } = useQuery({ queryKey: ['quotes', 'least'], ...loadingOf(leastPrices, {}) })
  return <ProductsPage {...parts} least={data} day={<Day />} begun={<Begun />} />
}

/** The products, and the funnel's comparison of them, which asks for a trip. That trip is kept until the page is left. */
function Catalogue() {
  const { words } = useWords()
  const [trip, setTrip] = useState<TripForm>()
  return (
    <Home
      renderCompare={products => (
        <CompareButton products={products} trip={trip} onClose={setTrip}>
          {words('products.compare', { count: products.length })}
        </CompareButton>
      )}
    />
  )
}

/** The tasks of the day, unless they arrive while a field is being filled in, since they would push it down. */
function Day() {
  const { words } = useWords()
  const { isPending } = useQuery(dayQuery)
  const [isShown, setIsShown] = useState(!isPending)
  useEffect(() => {
    if (isPending || isShown) return undefined
    // Between two fields nothing has the focus for a moment.
    const look = () => requestAnimationFrame(() => isTypingIn(document.activeElement) || setIsShown(true))
    look()
    document.addEventListener('focusout', look)
    return () => document.removeEventListener('focusout', look)
  }, [isPending, isShown])
  return (
    <ErrorBoundary>
      {isShown && (
        <DayStrip
          linkOf={inItsList}
          hidden={['', 'max-md:hidden', 'max-xl:hidden']}
          renderMore={({ total }) => (
            <Link to="/policies" className={moreLook}>
              {words('day.all', { count: total })}
            </Link>
          )}
        />
      )}
    </ErrorBoundary>
  )
}

/** Leads to the sale in progress, once it is past its trip, and to the newest quotes. */
function Begun() {
  const { words } = useWords()
  const { to, search, label, isPastTrip } = useSaleEntry()
  const product = useFunnel(({ productUuid }) => productOf(productUuid))
  const seesQuotes = useMay('b2b-policies-draft-view')
  return (
    <ErrorBoundary>
      {isPastTrip && product && (
        <Link to={to} search={search} className={`${buttonLook('quiet')} justify-self-start`}>
          {words(label)} · {product.name}
        </Link>
      )}
      {seesQuotes && <NewestQuotes />}
    </ErrorBoundary>
  )
}

/** Opens a task's policy beside the list that has it. */
const inItsList: LinkOf = ({ policyUuid, isBudget }) => ({
  to: isBudget ? '/policies/saved' : '/policies',
  search: { policy: policyUuid },
})
