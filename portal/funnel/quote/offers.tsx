import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { displayDate, readDate } from '#common/kit/dates.ts'
import { toCents } from '#common/kit/money.ts'
import { readAges } from '#common/kit/typed/travellers.ts'
import { checkDestinationCoverage } from '#common/quotes/calls.ts'
import { datesOf } from '#common/quotes/comparison.ts'
import type { Quote } from '#common/quotes/schemas.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { later } from '#portal/kit/page/later.tsx'
import { queries } from '#portal/kit/queries.ts'
import { loadMessages, useWords, type Words } from '#portal/kit/words.tsx'
import { type Product, productOf } from '#portal/products/store.ts'
import { CompareButton } from '../compare/compare-button.tsx'
import { type Prices, standingsQuery, standingsRequest } from '../compare/use-standings.ts'
import { agesShown, chooseProduct, keepPeople, keepTrip, saleInProgress, tripFor } from '../sale.ts'
import { offerUndo } from '../undo.ts'
import { StartOver } from '../start-over.tsx'
import { type TripForm, useFunnel } from '../store.ts'
import { quoteRequest } from '../trip-request.ts'
import type { OnCure } from './refused-list.tsx'
import { type KeptPrice, Results } from './results.tsx'
import { focusInLine, type Line } from './use-line.ts'

const [SaveDialog] = later(async () => (await import('../save/save-dialog.tsx')).SaveDialog)

const [NoticeAtHome] = later(async () => (await import('../resume/start-from-policy.tsx')).NoticeAtHome)

const [ProductDetails] = later(async () => {
  const [{ ProductDetails }] = await Promise.all([import('#portal/products/product-details.tsx'), loadMessages('products')])
  return ProductDetails
})

type Props = {
  products: readonly Product[]
  line: Line & { prices: Prices }
  isStep: boolean
  kept: KeptPrice | undefined
  focusAsked: number
  askFocus: () => void
  paste: ReactNode
}

/** The products with their prices for the trip, and everything that can be done with one of them: sell, save, compare, see its covers. */
export function Offers({ products, line, isStep, kept, focusAsked, askFocus, paste }: Props) {
  const { words } = useWords()
  const navigate = useNavigate()
  const { trip, prices, put } = line
  const takenUp = useFunnel(({ takenUp }) => takenUp)
  const picked = useFunnel(({ bought, productUuid }) => (bought ? undefined : productUuid))
  const [detailed, setDetailed] = useState<Product>()
  const [saved, setSaved] = useState<{ product: Product; sends: boolean }>()
  const [busy, setBusy] = useState(false)
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])

  /** Does something with the price of a product for the trip as it is typed now. The prices on the screen may be those of an earlier one. */
  async function withPrice(product: Product, act: (typed: TripForm, quote: Quote) => unknown, demands?: typeof isCoveredBy) {
    if (busy || line.complain()) return
    const typed = line.now()
    setBusy(true)
    try {
      const [standings, isAllowed] = await Promise.all([
        queries.fetchQuery(standingsQuery(standingsRequest(typed))),
        demands ? demands(product, typed) : true,
      ])
      const standing = standings.get(product.uuid)
      // The user may have left the page, or changed the trip.
      if (!isAllowed || standing?.state !== 'priced' || !isHere.current || JSON.stringify(line.now()) !== JSON.stringify(typed)) return
      await act(typed, standing.quote)
    } catch (error) {
      showToast({ severity: 'error', summary: errorMessage(error, words), life: 8000 })
    } finally {
      setBusy(false)
    }
  }
  const sell = (product: Product) =>
    withPrice(
      product,
      (typed, quote) => {
        beginSale(product, typed, quote, kept?.productUuid === product.uuid ? kept.total : quote.total)
        return navigate({ to: '/funnel', search: { step: '2' } })
      },
      isCoveredBy,
    )
  const save = (product: Product, sends: boolean) =>
    withPrice(product, (typed, quote) => {
      takeProduct(product, typed, quote)
      setSaved({ product, sends })
    })
  /** Changes the dates to those of a product that refuses the trip, and chooses it. Undo restores the trip and the choice, until either changes. */
  const cure: OnCure = ({ uuid }, { startDate, endDate }) => {
    // These dates are for an earlier trip.
    if (!prices.areCurrent) return
    const { trip, typedDates, productUuid, agreedTotal, step } = useFunnel.getState()
    const dates = { startDate: displayDate(startDate) ?? '', endDate: displayDate(endDate) ?? '' }
    put(dates)
    chooseProduct(uuid)
    askFocus()
    const cured = useFunnel.getState()
    offerUndo({
      summary: words('quote.new_dates', { from: dates.startDate, to: dates.endDate }),
      label: words('funnel.undo'),
      run: () => {
        useFunnel.setState({ trip, typedDates, productUuid, agreedTotal, step })
        askFocus()
      },
      isOver: state => state.trip !== cured.trip || state.productUuid !== cured.productUuid || state.step !== cured.step,
    })
  }

  return (
    <>
      {/* A step has it above the trip. */}
      {!isStep && takenUp && <NoticeAtHome trip={trip} takenUp={takenUp} />}
      <Results
        {...{ products, trip, prices, picked, busy, focusAsked, kept }}
        onPick={chooseProduct}
        onSell={product => void sell(product)}
        onCovers={setDetailed}
        onSave={(product, sends) => void save(product, sends)}
        onChange={put}
        onCure={cure}
        onEnter={askFocus}
        actions={
          <>
            {paste}
            <CompareButton
              trip={trip}
              current={productOf(picked)}
              onClose={put}
              onChoose={(uuid, typed) => (put(typed), chooseProduct(uuid))}
            >
              {words('products.compare', { count: 0 })}
            </CompareButton>
            {!isStep && <StartOver onStart={() => requestAnimationFrame(() => focusInLine('startDate'))} />}
          </>
        }
      />
      {detailed && <ProductDetails product={detailed} onClose={() => setDetailed(undefined)} />}
      {saved && <SaveDialog {...saved} onClose={() => setSaved(undefined)} />}
    </>
  )
}

/** Removes the birth dates that give other ages than the typed ones, which then apply. Says so, with an undo. */
export function applyTypedAges(words: Words): void {
  const { trip, people } = saleInProgress()
  const typed = readAges(trip?.ages ?? '') ?? []
  const others = trip ? (readAges(agesShown(trip)) ?? []).map((age, index) => (typed[index] ?? age) !== age) : []
  if (!trip || !others.includes(true)) return
  const rowOf = <Row extends object>(row: Row, index: number, without: Partial<Row>) => (others[index] ? { ...row, ...without } : row)
  keepTrip({ ...trip, birthDates: trip.birthDates.map((row, index) => rowOf(row, index, { date: '' })) })
  keepPeople(
    people && {
      ...rowOf(people, 0, { birthDate: '' }),
      extraTravellers: (people.extraTravellers ?? []).map((row, index) => rowOf(row, index + 1, { birthDate: '' })),
    },
  )
  const applied = saleInProgress().trip
  offerUndo({
    summary: words('quote.ages_apply'),
    label: words('funnel.undo'),
    run: () => {
      keepTrip(trip)
      keepPeople(people)
    },
    isOver: state => state.trip !== applied,
  })
}

/** Checks the destinations before step 2 (spec 4). A refusal shows the service's message in a window (spec 8). */
async function isCoveredBy(product: Product, { mainDestination, coverageScope }: TripForm): Promise<boolean> {
  const request = {
    productUuid: product.uuid,
    countriesDestinationId: mainDestination.join(','),
    ...(coverageScope === null ? {} : { countryOriginId: coverageScope }),
  }
  return ask(checkDestinationCoverage, request).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof Refused)) throw error
      alertError(error)
      return false
    },
  )
}

/** Makes a product with this trip the sale in progress. A policy with its own dates has those of its quote. */
export function takeProduct(product: Product, typed: TripForm, quote: Quote): TripForm {
  const trip = tripFor(product, typed)
  const [start, end] = [readDate(trip.startDate) ?? '', readDate(trip.endDate) ?? '']
  const { startDate, endDate } = datesOf(quote, { startDate: start, endDate: end })
  keepTrip(trip)
  chooseProduct(product.uuid)
  if (start === startDate && end === endDate) return trip
  const own = { ...trip, startDate: displayDate(startDate) ?? '', endDate: displayDate(endDate) ?? '' }
  useFunnel.setState({ trip: own, typedDates: { startDate: trip.startDate, endDate: trip.endDate } })
  return own
}

/**
 * Begins the sale of a product at step 2. The price that is shown for this trip counts as accepted: the service prices again, and sells at no other
 * price. A resumed quote keeps its own.
 */
export function beginSale(product: Product, typed: TripForm, quote: Quote, shown: number): void {
  const trip = takeProduct(product, typed, quote)
  const { takenUp, agreedTotal } = useFunnel.getState()
  useFunnel.setState({ step: 2, agreedTotal: (takenUp && agreedTotal) ?? toCents(shown) })
  // Step 2 shows the same quote, so it need not request it.
  queries.setQueryData(['quote', quoteRequest(product, trip)], quote)
}
