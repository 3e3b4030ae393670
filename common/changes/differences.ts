import type { StepDocumentKind } from '#common/documents/kinds.ts'
import { readDate } from '#common/kit/dates.ts'
import { fullName } from '#common/kit/text.ts'
import { contactFields, type Party, type PersonField, personFields, personFieldsWhere } from '#common/people/person.ts'
import type { Price } from '#common/quotes/price-lines.ts'
import { differenceOf } from './money.ts'
import type { Version } from './state.ts'

/** A version as it is or will be. A new person has no uuid yet. */
type Contents = Pick<Version, 'trip'> & { people: readonly (Party & { personUuid: string | null })[] }
type WasIs<Value> = { was: Value; is: Value }

export type OfferedChanges = {
  dates: (WasIs<string | undefined> & { what: 'startDate' | 'endDate' | 'reservationDate' })[]
  origin: WasIs<number> | undefined
  destinations: WasIs<readonly number[]> | undefined
  amount: WasIs<number | undefined> | undefined
  /** The name of the new policyholder, who may have been on the policy before. */
  holder: WasIs<string> | undefined
  /** Names only; null where the person does not travel. */
  people: (WasIs<string | null> & { what: 'joins' | 'leaves' | 'corrected' })[]
  /** True if an address, an email or a telephone changes. */
  contact: boolean
}

/** Returns the effects of a change, as its client is shown them. */
export function offeredChanges(before: Contents, after: Contents): OfferedChanges {
  const [was, is] = [before.trip, after.trip]
  const sorted = (places: readonly number[]) => places.toSorted((a, b) => a - b).join()
  return {
    dates: (['startDate', 'endDate', 'reservationDate'] as const)
      .map(what => ({ what, was: was[what], is: is[what] }))
      .filter(date => date.was !== date.is),
    origin: was.origin === is.origin ? undefined : { was: was.origin, is: is.origin },
    destinations: sorted(was.destinations) === sorted(is.destinations) ? undefined : { was: was.destinations, is: is.destinations },
    amount: was.amountCents === is.amountCents ? undefined : { was: was.amountCents, is: is.amountCents },
    holder: holderBetween(before.people, after.people),
    people: peopleBetween(before.people, after.people),
    contact: pairsOf(before.people, after.people).some(({ was, is }) => is && differs(contactFields, was, is)),
  }
}

type People = Contents['people']

function holderBetween([was]: People, [is]: People): OfferedChanges['holder'] {
  return was && is && was.personUuid !== is.personUuid ? { was: fullName(was), is: fullName(is) } : undefined
}

function peopleBetween(before: People, after: People): OfferedChanges['people'] {
  const pairs = pairsOf(before, after)
  return [
    ...pairs.flatMap(({ was, is }): OfferedChanges['people'] => {
      if (!is) return [{ what: 'leaves', was: fullName(was), is: null }]
      return differs(identityFields, was, is) ? [{ what: 'corrected', was: fullName(was), is: fullName(is) }] : []
    }),
    ...after
      .filter(({ personUuid }) => before.every(was => was.personUuid !== personUuid))
      .map(person => ({ what: 'joins' as const, was: null, is: fullName(person) })),
  ]
}

const pairsOf = (before: People, after: People) =>
  before.map(was => ({ was, is: after.find(({ personUuid }) => personUuid === was.personUuid) }))

const identityFields = personFieldsWhere('part', 'who')

const differs = (fields: readonly PersonField[], was: Party, is: Party): boolean =>
  fields.some(field => comparedIn(was, field) !== comparedIn(is, field))

/** The lines of a price before and after, without those of 0 on both sides. */
export function linesBetween(
  before: Price,
  after: Price,
): (WasIs<number> & { kind: 'travel' | 'cancellation' | 'tax'; code: string | null; label: string | null })[] {
  const { taxes } = differenceOf(before, after)
  const taxOf = (charged: Price, code: string) => charged.taxes.find(tax => tax.code === code)?.amount ?? 0
  return [
    { kind: 'travel' as const, code: null, label: null, was: before.travelPremium, is: after.travelPremium },
    { kind: 'cancellation' as const, code: null, label: null, was: before.cancellationPremium, is: after.cancellationPremium },
    ...taxes.map(({ code, label }) => ({ kind: 'tax' as const, code, label, was: taxOf(before, code), is: taxOf(after, code) })),
  ].filter(({ was, is }) => was !== 0 || is !== 0)
}

/** Normalises a fact to compare two versions: a missing value becomes an empty text, and a date one format. */
function comparedIn(person: Party, field: PersonField): string | number {
  const value = person[field] ?? ''
  return personFields[field].is === 'day' ? (readDate(value) ?? '') : value
}

/** The facts of a version that documents show. */
type Shown = { trip: Version['trip']; people: readonly Party[] }

/**
 * Returns the documents that a step from one version to the next needs. Facts that no certificate shows need none: telephone, email, the agency's
 * reference. A change of the policyholder's other data, or of the language, needs a certificate alone.
 */
export function documentsBetween(before: Shown, after: Shown, difference: number, isTranslated = false): StepDocumentKind[] {
  if (difference !== 0 || contractOf(before) !== contractOf(after)) return ['supplement', 'certificate', ...moneyDocuments(difference)]
  return isTranslated || certificateOf(before) !== certificateOf(after) ? ['certificate'] : []
}

/** A charge needs a receipt, and a refund a credit note with its taxes. */
export const moneyDocuments = (difference: number): StepDocumentKind[] =>
  difference > 0 ? ['receipt'] : difference < 0 ? ['credit_note'] : []

function contractOf({ trip, people }: Shown): string {
  const { startDate, endDate, origin, destinations, amountCents = null, reservationDate = null } = trip
  const places = destinations.toSorted((a, b) => a - b)
  return JSON.stringify([startDate, endDate, origin, places, amountCents, reservationDate, people.map(identityOf)])
}

const identityOf = (person: Party): unknown[] => ofContract.map(field => comparedIn(person, field))

const certificateOf = ({ people: [holder] }: Shown): string =>
  JSON.stringify(ofCertificate.map(field => holder && comparedIn(holder, field)))

const ofContract = personFieldsWhere('shown', 'contract')
const ofCertificate = personFieldsWhere('shown', 'certificate')

/** The contents of a version that decide the client's demands and needs. A new person has no uuid yet. */
type Needed = Pick<Version, 'trip'> & { people: readonly { personUuid: string | null }[] }

/** Returns true if a step changes what the client needs: days, countries, the insured amount, or who travels. A corrected name does not. */
export const changesNeeds = (before: Needed, after: Needed): boolean => keyOf(before) !== keyOf(after)

function keyOf({ trip, people }: Needed): string {
  const { startDate, endDate, destinations, amountCents } = trip
  const places = destinations.toSorted((a, b) => a - b)
  return JSON.stringify([startDate, endDate, places, amountCents ?? null, people.map(({ personUuid }) => personUuid)])
}
