import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { DeclineReason } from '#common/policies/quote-link.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { PersonColumns } from '#common/people/person.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import type { Instant, InstantOrNull, Json, UnitId } from '#server/kit/sql/tables.ts'

type TextOrNull = ColumnType<string | null, string | null | undefined, string | null>

export type PolicyTables = {
  policies: {
    business_unit_id: UnitId
    id: string
    status: StoredStatus
    version: number
    number: TextOrNull
    product_id: string
    product_name: string
    product_sort: string
    taker: string
    taker_sort: string
    seller_id: string
    seller_name: string
    seller_sort: string
    reference: string
    reference_sort: string
    start_date: string
    end_date: string
    locale: Locale
    currency: string
    total_cents: number
    commission_cents: number
    complete: boolean
    price_valid_until: Instant
    created_at: Instant
    updated_at: Instant
    purchased_at: InstantOrNull
    search: string
    paid: GeneratedAlways<boolean | null>
    /** The version and the price that were sold: what the sale's payment settled. Changes never move them. */
    sold_version: ColumnType<number | null, number | null | undefined, number | null>
    sold_cents: ColumnType<number | null, number | null | undefined, number | null>
    ended_kind: ColumnType<'cancellation' | 'withdrawal' | null, undefined, 'cancellation' | 'withdrawal' | null>
    ended_at: InstantOrNull
    cover_ends: ColumnType<string | null, undefined, string | null>
    /** The personal data is gone: of a saved quote its people, of a blocked policy also its encrypted data. */
    erased_at: InstantOrNull
    /** The policy whose next term this one is. */
    renews: ColumnType<string | null, string | null | undefined, string | null>
    /** The version whose next term was last offered or refused. */
    renewal_judged: ColumnType<number | null, undefined, number | null>
  }
  policy_versions: {
    business_unit_id: UnitId
    policy_id: string
    version: number
    at: Instant
    /** Null if the client wrote it, or the service renewed a policy. */
    user_id: string | null
    role_first_user: number
    pax_number: number
    catalogue_version: number
    product_version: number
    tariff_version: string
    total_cents: number
    /** The premium by the tariff, where a lower price was kept. Null: as charged. */
    tariff_premium_cents: ColumnType<number | null, number | null | undefined, never>
    currency: string
    content: Json<Record<string, unknown>>
  }
  /** The facts of a person, and what goes with them. `document_number` is null once encrypted, `residence_country` if it is the unit's. */
  policy_people: PersonColumns & {
    business_unit_id: UnitId
    policy_id: string
    version: number
    position: number
    holder: boolean
    traveller: boolean
    sealed: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    sealed_by: TextOrNull
    document_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    identification_type_id: number
    premium_cents: number | null
    name_sort: string
    /** The same with the first name first; null for a company. */
    given_sort: string | null
    /** The same in all versions. Null: the person is identified by the position in the version that was sold. */
    person_id: TextOrNull
  }
  policy_price_lines: {
    business_unit_id: UnitId
    policy_id: string
    version: number
    position: number
    kind: 'travel' | 'cancellation' | 'tax' | 'commission'
    code: string | null
    /** The rate as in the quote; numeric columns are read as text. */
    rate: ColumnType<string | null, number | string | null, number | string | null>
    amount_cents: number
  }
  policy_history: {
    business_unit_id: UnitId
    policy_id: string
    id: string
    at: Instant
    user_id: string | null
    user_name: string | null
    what: string
    details: Json<Record<string, unknown>>
  }
  /** The newest event of each policy that happened without the user who began it, until that user opens the policy. */
  policy_notices: {
    business_unit_id: UnitId
    user_id: string
    policy_id: string
    kind:
      | 'offer_paid'
      | 'offer_declined'
      | 'withdrawn'
      | 'quote_paid'
      | 'quote_accepted'
      | 'quote_declined'
      | 'renewal_impossible'
      | 'renewal_outdated'
    at: Instant
  }
  /** A link by which a client reads saved quotes, and the client's answer. */
  quote_links: {
    business_unit_id: UnitId
    id: string
    at: Instant
    user_id: string | null
    /** The address that it was mailed to; null for a messenger. */
    recipient_hash: Buffer | null
    message: string
    opened_at: InstantOrNull
    completed_at: InstantOrNull
    decision: ColumnType<'accepted' | 'declined' | null, undefined, 'accepted' | 'declined' | null>
    /** The quote that the client accepted, or began to pay. Sold, it was bought by this link. */
    decided_policy: TextOrNull
    reason: ColumnType<DeclineReason | null, undefined, DeclineReason | null>
    decided_at: InstantOrNull
    /** The name that the client typed to decline, or the policyholder's who accepted. Empty once that person is gone from the quotes. */
    answered_by: Generated<string>
    /** The hash of the client's copy of the answer. */
    proof_sha256: TextOrNull
    revoked_at: InstantOrNull
  }
  quote_link_policies: { business_unit_id: UnitId; link_id: string; position: number; policy_id: string }
  policy_numbering: { only_one: Generated<boolean>; next_number: number; shared_from: number }
  policy_counts: {
    business_unit_id: UnitId
    part: number
    budgeted: Generated<number>
    pending: Generated<number>
    purchased: Generated<number>
    cancelled: Generated<number>
    deleted: Generated<number>
    blocked: Generated<number>
    /** The movements on sold policies. */
    changed: Generated<number>
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends PolicyTables {}
}
