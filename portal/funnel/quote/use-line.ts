import { type FormEvent, useMemo, useState } from 'react'
import { isPresent } from '#common/kit/validators/presence.ts'
import { refusedFields } from '#portal/kit/errors/error-message.ts'
import type { FieldMessage } from '#portal/kit/field/field.tsx'
import { problemAt } from '#portal/kit/field/problem-at.ts'
import { completeFocused } from '#portal/kit/form/complete-focused.ts'
import { logOnly } from '#portal/kit/log.ts'
import { useWords, type Words } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { lineProblems, type Prices, useStandings } from '../compare/use-standings.ts'
import { agesProblems, agesShown, keepTrip, tripToCompare } from '../sale.ts'
import { type TripForm, useFunnel } from '../store.ts'
import { tripField } from '../trip-request.ts'

/** Short, so that shifts caused by the response still count as caused by the last key. */
const pauseMs = 200

export type Line = {
  trip: TripForm
  /** Returns the trip as stored, even between two renderings. */
  now: () => TripForm
  put: (change: Partial<TripForm>) => void
  errorOf: (name: keyof TripForm) => FieldMessage | undefined
  /** `isTyped`: the ages were typed since the field was entered. */
  onLeave: (name: keyof TripForm, isTyped?: boolean) => void
  /** Focuses the first missing or invalid field. Returns false if there is none. */
  focusProblem: () => boolean
  /** Shows missing and invalid fields. */
  complain: () => boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
}

type OffersCode = { applyTypedAges: (words: Words) => void }
/** Loads the code of the prices, with the messages of problems. */
type LoadOffers = () => Promise<OffersCode>

/**
 * The trip of the sale in one line, under the rules shared by all products, with their prices. `onEnter` runs when it is complete and Enter is
 * pressed. With its few fields it does without the library for forms, which the first page would have to load.
 */
export function useLine(products: readonly Product[], onEnter: () => void, loadOffers: LoadOffers): Line & { prices: Prices } {
  const { words } = useWords()
  const stored = useFunnel(({ bought, trip }) => (bought ? undefined : trip))
  const typedDates = useFunnel(({ typedDates }) => typedDates)
  const trip = useMemo(() => (stored ? { ...stored, ...typedDates } : tripToCompare(products)), [products, stored, typedDates])
  const now = () => tripToCompare(products)
  const [left, setLeft] = useState<ReadonlySet<keyof TripForm>>(new Set())
  const [isAsked, setIsAsked] = useState(false)
  const prices = useStandings(products, trip, true, pauseMs)
  const problems = problemsOf(products, trip)

  // Nothing is wrong before a field is left, so the messages of problems are not loaded earlier.
  const withOffers = (show: (offers: OffersCode) => void): void => void loadOffers().then(show).catch(logOnly('loading the prices'))

  function focusProblem(): boolean {
    const [first] = problemsOf(products, now())
    if (first) focusInLine(first.path)
    return first !== undefined
  }
  function complain(): boolean {
    if (!focusProblem()) return false
    withOffers(() => setIsAsked(true))
    return true
  }
  return {
    trip,
    prices,
    now,
    put(change) {
      const next = { ...now(), ...change }
      // A birth date has another age on another day.
      const isAged = change.startDate !== undefined || (change.birthDates && change.ages === undefined)
      keepTrip(isAged ? { ...next, ages: agesShown(next) } : next)
    },
    errorOf(name) {
      // An empty field shows no error until the trip is entered. An invalid one does once it is left.
      const problem = problems.find(({ path }) => path === name)
      if (problem) return isAsked || (left.has(name) && isPresent(trip[name])) ? problemAt(words, problem) : undefined
      return refusedFields(prices.error).find(({ path }) => lineField(path) === name)?.message
    },
    onLeave(name, isTyped) {
      withOffers(({ applyTypedAges }) => {
        if (isTyped) applyTypedAges(words)
        setLeft(names => new Set(names).add(name))
      })
    },
    focusProblem,
    complain,
    onSubmit(event) {
      event.preventDefault()
      completeFocused(event.currentTarget)
      if (!complain()) onEnter()
    },
  }
}

const problemsOf = (products: readonly Product[], values: TripForm) =>
  [...agesProblems(values), ...lineProblems(products, values)].map(problem => ({
    ...problem,
    path: fieldIn(problem.path),
    // The field also accepts a number of travellers.
    key: problem.key === 'validation.ages' ? 'validation.travellers' : problem.key,
  }))

export function focusInLine(name: string): void {
  const field = document.querySelector<HTMLInputElement>(`[data-line] [name="${CSS.escape(name)}"]`)
  field?.focus()
  field?.select()
}

/** Returns the name of the line's field for a field of a call. */
const lineField = (path: string): keyof TripForm => fieldIn(tripField(path))

/** One field has the travellers and their ages. */
const fieldIn = (path: string): keyof TripForm =>
  // Safe: the rules of a trip name its fields.
  (path === 'travelers' ? 'ages' : path) as keyof TripForm
