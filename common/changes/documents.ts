import type { StepDocumentKind } from '#common/documents/kinds.ts'
import { type Party, personFieldsWhere } from '#common/people/person.ts'
import { comparedIn } from './offer.ts'
import type { Version } from './state.ts'

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
