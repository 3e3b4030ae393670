import { createHmac, createSecretKey } from 'node:crypto'
import type { MovementFacts } from '#common/accounting/bordereau/row.ts'
import type { Entry, MovementKind, Way } from '#common/accounting/book.ts'
import { readDate } from '#common/kit/dates.ts'
import { toCents } from '#common/kit/money.ts'

/** The columns of a movement and its policy version. The database sends each movement as one line of these, separated by tabs. */
export const movementColumns = [
  'id',
  'day',
  'kind',
  'insurer_premium',
  'commission_payable',
  'taxes',
  'way',
  'policy_id',
  'number',
  'version',
  'product',
  'catalogue_version',
  'pax_number',
  'total_cents',
  'start_date',
  'end_date',
  'insured_amount',
  'zone',
  'holder_name',
  'company_name',
  'residence_country',
  'document_number',
  'sealed',
  'sealed_by',
  'person_id',
  'cancellation_cents',
  'commission_rate',
  'renews',
] as const

/** The facts that the rows of a statement share. */
export type RowsOf = { unitId: string; unit: string; country: number; withNames: boolean; number: string; currency: string }

/** Returns a person's pseudonym, and a movement's document number, which is encrypted. */
export type Names = { nameOf: (person: string) => string; numberOf: (policyId: string, sealed: Buffer, sealedBy: string) => string }

/** A movement as read from its line, with its version of the catalogue. A missing value is an empty text. */
export type ReadFacts = { facts: MovementFacts; edition: number }

/** Reads a line from the database cell by cell. It must be fast, as a month may have a million lines. */
export function factsOf(line: string, of: RowsOf, { nameOf, numberOf }: Names): ReadFacts {
  const { unitId, unit, country, withNames } = of
  const cells = line.split('\t')
  const text = (index: number): string => cells[index] ?? ''
  const [holder, company, residence] = [text(at.holder_name), text(at.company_name), text(at.residence_country)]
  const [day, insuredAmount, rate] = [text(at.day), text(at.insured_amount), text(at.commission_rate)]
  // The database writes bytes as \\x and hexadecimal digits.
  const numberIn = (sealed: string) =>
    sealed === '' ? text(at.document_number) : numberOf(text(at.policy_id), Buffer.from(sealed.slice(2), 'hex'), text(at.sealed_by))
  const pseudonym = () => nameOf(`${unitId} ${numberIn(text(at.sealed)) || text(at.person_id) || text(at.policy_id)}`)
  const facts: MovementFacts = {
    id: text(at.id),
    month: day.slice(0, 7),
    day,
    // Safe: the schema allows no other kind.
    kind: text(at.kind) as MovementKind,
    renews: text(at.renews) === 'true',
    unit,
    unitCountry: country,
    product: text(at.product),
    certificate: text(at.number),
    version: Number(text(at.version)),
    startDate: readDate(text(at.start_date)) ?? '',
    endDate: readDate(text(at.end_date)) ?? '',
    insured: {
      name: withNames ? company || holder : pseudonym(),
      country: residence === '' ? country : Number(residence),
      isCompany: company !== '',
    },
    zone: text(at.zone),
    travellers: Number(text(at.pax_number)),
    sumInsuredCents: insuredAmount === '' ? null : (toCents(Number(insuredAmount)) ?? null),
    currency: of.currency,
    entries: entriesOf(text(at.insurer_premium), text(at.commission_payable), text(at.taxes)),
    cancellationCents: Number(text(at.cancellation_cents)),
    cumulativeCents: Number(text(at.total_cents)),
    commissionPercent: rate === '' ? null : Number(rate),
    // Safe: `wayOf` selects no other value.
    way: text(at.way) as Way,
    statement: of.number,
  }
  return { facts, edition: Number(text(at.catalogue_version)) }
}

// Safe: each column gets its index.
const at = Object.fromEntries(movementColumns.map((name, index) => [name, index])) as Record<(typeof movementColumns)[number], number>

const entriesOf = (premium: string, commission: string, taxes: string): Entry[] => [
  { account: 'insurer_premium', cents: Number(premium) },
  { account: 'commission_payable', cents: Number(commission) },
  // Safe: the book has an amount for each code.
  ...Object.entries(JSON.parse(taxes) as Record<string, number>).map(([code, cents]): Entry => ({ account: `tax:${code}`, cents })),
]

/**
 * Returns a function that gives each insured person of an agency a pseudonym, the same in every file. The key is read once, since that takes longer
 * than making a pseudonym.
 */
export function pseudonyms(key: Uint8Array): (person: string) => string {
  const secret = createSecretKey(key)
  return person => `P-${createHmac('sha256', secret).update(person).digest('hex').slice(0, 20).toUpperCase()}`
}
