import { createHmac, createSecretKey } from 'node:crypto'
import type { DeedFacts } from '#common/accounting/bordereau/row.ts'
import type { DeedKind, Way } from '#common/accounting/deeds.ts'
import type { Entry } from '#common/accounting/entries.ts'
import { readDate } from '#common/kit/dates.ts'
import { toCents } from '#common/kit/money.ts'

/** A deed of the book with the version that it led to, as the database has it. */
export type DeedRow = {
  id: string
  day: string
  kind: DeedKind
  insurer_premium: number
  commission_payable: number
  taxes: Record<string, number>
  way: Way
  policy_id: string
  number: string | null
  version: number
  product: string
  catalogue_version: number
  pax_number: number
  total_cents: number
  start_date: string | null
  end_date: string | null
  insured_amount: number | null
  zone: string | null
  holder_name: string | null
  company_name: string | null
  residence_country: number | null
  document_number: string | null
  person_id: string | null
  cancellation_cents: number
  commission_rate: string | null
}

/** The facts that the rows of a statement share. */
export type RowsOf = { unitId: string; unit: string; country: number; withNames: boolean; number: string; currency: string }

export function factsOf(row: DeedRow, of: RowsOf, nameOf: (person: string) => string): DeedFacts {
  const { unitId, unit, country, withNames } = of
  const person = row.document_number ?? row.person_id ?? row.policy_id
  return {
    id: row.id,
    month: row.day.slice(0, 7),
    day: row.day,
    kind: row.kind,
    unit,
    unitCountry: country,
    product: row.product,
    certificate: row.number ?? '',
    version: row.version,
    startDate: readDate(row.start_date) ?? '',
    endDate: readDate(row.end_date) ?? '',
    insured: {
      name: withNames ? row.company_name || row.holder_name || '' : nameOf(`${unitId} ${person}`),
      country: row.residence_country ?? country,
      isCompany: Boolean(row.company_name),
    },
    zone: row.zone ?? '',
    travellers: row.pax_number,
    sumInsuredCents: toCents(row.insured_amount) ?? null,
    currency: of.currency,
    entries: entriesOf(row),
    cancellationCents: row.cancellation_cents,
    cumulativeCents: row.total_cents,
    commissionPercent: row.commission_rate === null ? null : Number(row.commission_rate),
    way: row.way,
    statement: of.number,
  }
}

const entriesOf = ({ insurer_premium, commission_payable, taxes }: DeedRow): Entry[] => [
  { account: 'insurer_premium', cents: insurer_premium },
  { account: 'commission_payable', cents: commission_payable },
  ...Object.entries(taxes).map(([code, cents]): Entry => ({ account: `tax:${code}`, cents })),
]

/**
 * Returns the function that names an insured person without saying who it is: the same person of an agency has the same name in every file. The key is
 * read once, as that takes longer than a name.
 */
export function pseudonyms(key: Uint8Array): (person: string) => string {
  const secret = createSecretKey(key)
  return person => `P-${createHmac('sha256', secret).update(person).digest('hex').slice(0, 20).toUpperCase()}`
}
