import type { Change } from '#common/changes/asked/asked.ts'
import type { Person, Policy } from '#common/changes/state.ts'
import { addDays, daysBetween, displayDate, readDate } from '#common/kit/dates.ts'
import { fromCents } from '#common/kit/money.ts'
import { type PersonField, personFieldNames, type PersonFields, personFields, personFieldsWhere } from '#common/people/person.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'

/** The reasons of a change. */
export const reasons = ['client', 'carrier', 'agency_error', 'other'] as const
type Reason = (typeof reasons)[number]

/** The typed fields of a person, with the birth date as text. A null country is the unit's. */
export type Fields = { readonly [F in PersonField]?: PersonFields[F]['is'] extends 'country' ? number | null : string }

/** A person who joins, in place of one who leaves or after all others. */
type Joiner = { readonly key: string; readonly replaces: string | null; readonly fields: Fields }

/** The typed values of a change. All others stay as in the policy, so the typed ones survive a change by others. */
export type Draft = {
  readonly startDate?: string
  readonly endDate?: string
  /** True if the end was typed. It then does not move with the start. */
  readonly hasOwnEnd?: true
  readonly destinations?: readonly number[]
  readonly amount?: NumberValue
  readonly reservationDate?: string
  readonly reference?: string
  readonly locale?: string
  /** The reason for the change, which is no change itself. */
  readonly reason?: Reason | undefined
  readonly note?: string
  /** Corrected fields by `personUuid`. */
  readonly mended: Readonly<Record<string, Fields>>
  readonly leaving: readonly string[]
  readonly joining: readonly Joiner[]
}

export const untouched: Draft = { mended: {}, leaving: [], joining: [] }

/** Sets a typed date of the trip. The return moves with the departure until it is typed itself, so a postponed trip keeps its length. */
export function moveDate({ trip }: Policy, draft: Draft, name: 'startDate' | 'endDate', text: string): Draft {
  if (name === 'endDate') return { ...draft, endDate: text, hasOwnEnd: true }
  if (draft.hasOwnEnd) return { ...draft, startDate: text }
  const { endDate: _, ...others } = draft
  const start = readDate(text)
  const endDate = start && displayDate(addDays(trip.endDate, daysBetween(trip.startDate, start)))
  return { ...others, startDate: text, ...(endDate ? { endDate } : {}) }
}

/** Returns a person's text, or '' if it is unknown. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A person after the change. `key` is the draft's, `index` the position in the call's `users`; a person who leaves has none. */
export type DraftRow = { key: string; was: Person | undefined; fields: Fields; index: number | undefined; replaces: string | null }

/** Returns everyone before or after the change: the policy's people in their order, each newcomer in the position of the person replaced. */
export function rowsOf({ people }: Policy, { mended, leaving, joining }: Draft): DraftRow[] {
  const rows: Omit<DraftRow, 'index'>[] = people.flatMap(was => {
    const swapped = joining.filter(({ replaces }) => replaces === was.personUuid)
    return [
      { key: was.personUuid, was, fields: mended[was.personUuid] ?? {}, replaces: null },
      ...swapped.map(({ key, fields }) => ({ key, was: undefined, fields, replaces: was.personUuid })),
    ]
  })
  const known = new Set(people.map(({ personUuid }) => personUuid))
  const others = joining.filter(({ replaces }) => replaces === null || !known.has(replaces))
  let next = 0
  return [...rows, ...others.map(({ key, fields }) => ({ key, was: undefined, fields, replaces: null }))].map(row => ({
    ...row,
    index: row.was && leaving.includes(row.key) ? undefined : next++,
  }))
}

/** Returns the change in the format of the call: only the differences from the policy. */
export function changeOf(policy: Policy, draft: Draft): Change {
  const { trip } = policy
  const amount = trip.amountCents === undefined ? null : fromCents(trip.amountCents)
  const users = usersOf(policy, draft)
  return {
    ...differing('startDate', dateOf(draft.startDate), trip.startDate),
    ...differing('endDate', dateOf(draft.endDate), trip.endDate),
    ...(draft.destinations && !isSameList(draft.destinations, trip.destinations)
      ? { countriesDestinationId: draft.destinations.join(',') }
      : {}),
    ...amountOf(draft.amount, amount),
    ...differing('reservationDate', dateOf(draft.reservationDate), trip.reservationDate ?? ''),
    ...differing('buReference', draft.reference, policy.reference ?? ''),
    ...differing('locale', draft.locale, policy.locale ?? ''),
    ...(users ? { users } : {}),
  }
}

/** Returns a field that was typed and differs, under its name. */
const differing = <Name extends string>(name: Name, typed: string | undefined, was: string): { [name in Name]?: string } =>
  // Safe: the only key is the name.
  typed === undefined || typed === was ? {} : ({ [name]: typed } as { [name in Name]?: string })

/** A text that is not a date is kept, so that the rules refuse it. */
const dateOf = (typed: string | undefined): string | undefined => (typed === undefined ? undefined : (readDate(typed) ?? typed))

/** A text that is not an amount is sent as missing, which the rules refuse. */
function amountOf(typed: NumberValue | undefined, was: number | null): Pick<Change, 'insurancedAmount'> {
  if (typed === undefined || typed === was) return {}
  return { insurancedAmount: typeof typed === 'number' ? typed : null }
}

const isSameList = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every(id => b.includes(id))

/** Returns all people of the next version, each only with differing fields; undefined if none is changed. */
function usersOf(policy: Policy, draft: Draft): Change['users'] {
  const rows = rowsOf(policy, draft)
  const sent = rows
    .filter(({ index }) => index !== undefined)
    .map(({ was, fields, index }) => ({ ...(was ? { personUuid: was.personUuid } : {}), ...sentFields(was, fields, index === 0) }))
  const isTouched = sent.length !== policy.people.length || rows.some(({ was, index }) => !was || index === undefined)
  return isTouched || sent.some(user => Object.keys(user).length > 1) ? sent : undefined
}

/**
 * Returns the fields that are sent of a person: those that differ. If a name, birth date or document differs, the others are sent with it. If two
 * differ it is another person, of whom nothing else is known. The policyholder's contact data is included, as the desk shows it.
 */
function sentFields(was: Person | undefined, fields: Fields, isHolder: boolean): Sent {
  const sent = differingFields(was, fields)
  if (!was || !identity.some(field => sent[field] !== undefined)) return sent
  const kept = (isHolder ? personFieldNames : identity).filter(field => sent[field] === undefined && was[field])
  return { ...sent, ...Object.fromEntries(kept.map(field => [field, was[field]])) }
}

const identity = personFieldsWhere('part', 'who')

type Sent = { [field in PersonField]?: string | number | null }

function differingFields(was: Person | undefined, fields: Fields): Sent {
  const sent: Sent = {}
  for (const field of personFieldNames) {
    const typed = typedOf(field, fields[field])
    if (typed !== undefined && (!was || typed !== (was[field] ?? (typed === null ? null : '')))) sent[field] = typed
  }
  return sent
}

function typedOf(field: PersonField, typed: string | number | null | undefined): string | number | null | undefined {
  if (typeof typed !== 'string') return typed
  return personFields[field].is === 'day' ? dateOf(typed) : typed.trim()
}

/** True if the change differs from the policy in anything. */
export const isTouched = (policy: Policy, draft: Draft): boolean => Object.keys(changeOf(policy, draft)).length > 0

/** Returns the draft with a person's fields. */
export const mend = (draft: Draft, key: string, fields: Fields): Draft => {
  if (draft.joining.some(each => each.key === key))
    return { ...draft, joining: draft.joining.map(each => (each.key === key ? { ...each, fields: { ...each.fields, ...fields } } : each)) }
  return { ...draft, mended: { ...draft.mended, [key]: { ...draft.mended[key], ...fields } } }
}

/** Returns the draft without a person. If that person joined in the draft, the replaced one stays. */
export const leave = (draft: Draft, key: string): Draft => {
  const joiner = draft.joining.find(each => each.key === key)
  if (!joiner) return { ...draft, leaving: [...draft.leaving, key] }
  return {
    ...draft,
    joining: draft.joining.filter(each => each !== joiner),
    leaving: draft.leaving.filter(each => each !== joiner.replaces),
  }
}

/** Returns the draft in which a person who was to leave stays unchanged. */
export const stay = (draft: Draft, key: string): Draft => ({
  ...draft,
  leaving: draft.leaving.filter(each => each !== key),
  joining: draft.joining.filter(({ replaces }) => replaces !== key),
})

/** Returns the draft with a newcomer, in place of a person or after all others. */
export const join = (draft: Draft, key: string, replaces: string | null): Draft => ({
  ...draft,
  leaving: replaces === null ? draft.leaving : [...draft.leaving.filter(each => each !== replaces), replaces],
  joining: [...draft.joining.filter(each => replaces === null || each.replaces !== replaces), { key, replaces, fields: {} }],
})
