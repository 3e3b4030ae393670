import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import type { listPolicies, purchasePolicy } from '#common/policies/calls.ts'
import type { knownPeople } from '#common/policies/people-calls.ts'
import { policyCan, type PolicyStatus } from '#common/policies/states.ts'
import { byKind, type PersonColumns, personFieldNames, personFields, personFieldsWhere } from '#common/people/person.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { PolicyRow } from './queries.ts'
import type { Made } from './sale/sale-context.ts'

/** Returns a sold policy and its files, as a purchase and each later step send them. */
export function saleReply({ policy, files }: Made, showsCommission: boolean): ResponseSentOf<typeof purchasePolicy> {
  return {
    files,
    policyData: {
      policyUuid: policy.id,
      policyNumber: policy.number ?? '',
      // Safe: a deleted policy never gets here.
      status: policy.status as PolicyStatus,
      productName: policy.product_name,
      policyTaker: policy.taker,
      startDate: policy.start_date,
      endDate: policy.end_date,
      total: fromCents(policy.total_cents),
      commission: showsCommission ? fromCents(policy.commission_cents) : null,
      currency: policy.currency,
      createdAt: policy.created_at.toISOString(),
    },
  }
}

type Row = ResponseSentOf<typeof listPolicies>['policies'][number]

/** Returns a policy as lists and its detail show it. */
export const rowOf = (policy: PolicyRow, showsCommission: boolean): Row => ({
  policyUuid: policy.id,
  policyNumber: policy.number ?? '',
  productUuid: policy.product_id,
  productName: policy.product_name,
  policyTaker: policy.taker,
  username: policy.seller_name,
  startDate: policy.start_date,
  endDate: policy.end_date,
  createdAt: policy.created_at.toISOString(),
  // Safe: a deleted policy never gets here.
  status: policy.status as PolicyStatus,
  withdrawn: policy.ended_kind === 'withdrawal',
  buReference: policy.reference,
  total: fromCents(policy.total_cents),
  commission: showsCommission ? fromCents(policy.commission_cents) : null,
  currency: policy.currency,
  priceValidUntil: policyCan('resume', policy) ? policy.price_valid_until.toISOString() : null,
})

export type PersonReply = ResponseSentOf<typeof knownPeople>['people'][number]

/** Returns a person as the API sends it: missing texts are empty. */
export const personReply = (person: PersonColumns): PersonReply =>
  // Safe: each fact is its column's, with an empty text for none.
  Object.fromEntries(personFieldNames.map(field => [field, person[personFields[field].column] ?? empty[field]])) as PersonReply

const empty = byKind({ text: '', documentNumber: '', day: null, country: null, documentKind: 'national' })

/** Returns a person without contact data and residence, which are not sent of a traveller. */
export const withoutContact = (person: PersonReply): PersonReply => ({ ...person, ...noContact })

const noContact: Partial<PersonReply> = Object.fromEntries(
  personFieldsWhere('part', 'reach', 'address', 'more').map(field => [field, empty[field]]),
)

/** Returns a person's id, the same in all versions. People who were there at the sale are known by their position in it. */
export const personIdOf = (policyId: string, { person_id: id, position }: { person_id: string | null; position: number }): string =>
  id ?? stableId('person', policyId, String(position))
