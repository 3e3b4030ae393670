import type { Problem } from '#common/kit/problems.ts'
import type { Trip, TripDraft } from '#common/quotes/trip.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import type { Policy } from '../state.ts'
import { type After, type People, readPeople } from './people.ts'

/** A change as a call sends it. A missing field stays unchanged. Dates in either format, amounts in major units. */
export type Change = {
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  countryOriginId?: number | null | undefined
  /** Ids joined by commas. */
  countriesDestinationId?: string | null | undefined
  insurancedAmount?: number | null | undefined
  reservationDate?: string | null | undefined
  /** All people, policyholder first; those already on the policy with their `personUuid`. */
  users?: readonly { readonly [field: string]: unknown }[] | null | undefined
  buReference?: string | null | undefined
  locale?: string | null | undefined
}

export const changeFields = [
  'startDate',
  'endDate',
  'countryOriginId',
  'countriesDestinationId',
  'insurancedAmount',
  'reservationDate',
  'users',
  'buReference',
  'locale',
] as const

/** The facts of a policy that a change touches, by the field that a refusal names. */
export type Touched = People['touched'] & {
  start: boolean
  end: boolean
  origin: boolean
  destinations: boolean
  amount: boolean
  reservation: boolean
  reference: boolean
  locale: boolean
}

/** The policy that the change asks for. */
export type Asked = {
  trip: Trip
  people: After[]
  /** The people, and those who leave. Undefined if no people were sent. */
  found: People | undefined
  touched: Touched
  reference: string | null
  locale: string | null
}

/** Reads a change against the current policy, or returns what cannot be read. Accepts any input. */
export function readChange(
  policy: Policy,
  change: Change,
): { asked: Asked; problems?: undefined } | { asked?: undefined; problems: Problem[] } {
  const sent = typeof change === 'object' && change !== null ? change : {}
  const draft = tripIn(sent)
  const problems = [...unknownFields(sent), ...unreadable(sent, draft)]
  if (problems.length > 0) return { problems }
  const found = sent.users ? readPeople(policy, sent.users) : undefined
  const { unknown = [], unborn = [] } = found ?? {}
  const wrong = [
    ...unknown.map((index): Problem => ({ path: `users[${index}].personUuid`, rule: 'unknown', key: 'shape.unknown' })),
    ...unborn.map((index): Problem => ({ path: `users[${index}].birthDate`, rule: 'required', key: 'validation.required' })),
  ]
  if (wrong.length > 0) return { problems: wrong }
  const trip = tripAsked(policy, draft)
  const reference = sent.buReference === undefined ? (policy.reference ?? null) : sent.buReference
  const locale = sent.locale === undefined ? (policy.locale ?? null) : sent.locale
  const touched = {
    ...(found?.touched ?? { contact: false, names: false, births: false, joins: false, leaves: false, holder: false }),
    ...touchedOf(policy, trip),
    reference: (reference ?? '') !== (policy.reference ?? ''),
    locale: (locale ?? '') !== (policy.locale ?? ''),
  }
  return { asked: { trip, people: found?.asked.map(({ person }) => person) ?? [...policy.people], found, touched, reference, locale } }
}

const unknownFields = (sent: Change): Problem[] =>
  Object.keys(sent)
    .filter(name => !changeFields.some(field => field === name))
    .map(path => ({ path, rule: 'unknown', key: 'shape.unknown' }))

function unreadable(sent: Change, draft: TripDraft): Problem[] {
  const { countryOriginId: origin, countriesDestinationId: destinations, insurancedAmount: amount, users } = sent
  const wrong = (path: string, rule: string, key: string): Problem[] => [{ path, rule, key }]
  const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string'
  return [
    ...(['startDate', 'endDate', 'reservationDate'] as const).flatMap(path =>
      sent[path] === undefined || draft[path] ? [] : wrong(path, 'validDate', 'validation.invalidDate'),
    ),
    ...(origin === undefined || draft.origin !== undefined ? [] : wrong('countryOriginId', 'required', 'validation.required')),
    ...(destinations === undefined || draft.destinations ? [] : wrong('countriesDestinationId', 'required', 'validation.required')),
    ...(amount === undefined || (draft.amountCents ?? 0) > 0 ? [] : wrong('insurancedAmount', 'invalidNumber', 'validation.invalidAmount')),
    ...(users === undefined || isListOfObjects(users) ? [] : wrong('users', 'type', 'shape.type')),
    ...(['buReference', 'locale'] as const).flatMap(path => (isText(sent[path]) ? [] : wrong(path, 'type', 'shape.type'))),
  ]
}

const isListOfObjects = (users: unknown): boolean =>
  Array.isArray(users) && Array.from(users).every(user => typeof user === 'object' && user !== null && !Array.isArray(user))

function tripAsked({ trip, edition }: Policy, draft: TripDraft): Trip {
  const asked = {
    startDate: draft.startDate ?? trip.startDate,
    endDate: draft.endDate ?? trip.endDate,
    origin: draft.origin ?? trip.origin,
    destinations: draft.destinations ?? trip.destinations,
  }
  // A product without cancellation cover insures no amount, so both fields are ignored.
  if (!edition.basis.tariff.cancellation) return { ...trip, ...asked }
  return {
    ...asked,
    amountCents: draft.amountCents ?? trip.amountCents,
    reservationDate: draft.reservationDate ?? trip.reservationDate,
  }
}

function touchedOf({ trip }: Policy, asked: Trip): Pick<Touched, 'start' | 'end' | 'origin' | 'destinations' | 'amount' | 'reservation'> {
  const places = new Set(trip.destinations)
  return {
    start: asked.startDate !== trip.startDate,
    end: asked.endDate !== trip.endDate,
    origin: asked.origin !== trip.origin,
    destinations: asked.destinations.length !== places.size || asked.destinations.some(id => !places.has(id)),
    amount: asked.amountCents !== trip.amountCents,
    reservation: asked.reservationDate !== trip.reservationDate,
  }
}

/** The request's field that contains each fact. */
const pathOf: Record<keyof Touched, keyof Change> = {
  start: 'startDate',
  end: 'endDate',
  origin: 'countryOriginId',
  destinations: 'countriesDestinationId',
  joins: 'users',
  leaves: 'users',
  holder: 'users',
  births: 'users',
  names: 'users',
  contact: 'users',
  amount: 'insurancedAmount',
  reservation: 'reservationDate',
  reference: 'buReference',
  locale: 'locale',
}

/** Returns the fields of the touched facts for which a rule holds, each once. */
export const pathsOf = (touched: Touched, holds: (fact: keyof Touched) => boolean): string[] => [
  // Safe: the record's names are those of the facts.
  ...new Set((Object.keys(pathOf) as (keyof Touched)[]).filter(fact => touched[fact] && holds(fact)).map(fact => pathOf[fact])),
]
