import { addMonths } from '#common/kit/dates.ts'
import { fromCents, roundedRatio } from '#common/kit/money.ts'
import { type BordereauAmounts, bordereauAmounts, type Transaction, transactionOf } from './amounts.ts'
import type { Entry, MovementKind, Way } from '../book.ts'

/** A row of a bordereau is a movement with its premium, or a claim that was filed or changed. */
export const bordereauKinds = ['premium', 'claims'] as const

export type BordereauKind = (typeof bordereauKinds)[number]

/** A tax as the catalogue had it when the policy was sold. Without a share it is not computed from the premium. */
type KnownTax = { country: number; rate: number; sharePercent: number | null }

/** The taxes by their codes, in the order of the bordereau's columns. */
export type KnownTaxes = ReadonlyMap<string, KnownTax>

/** A movement with facts of the book and of its policy. Days are YYYY-MM-DD in the agency's zone, months YYYY-MM, countries ISO 3166-1 numbers. */
export type MovementFacts = {
  id: string
  month: string
  day: string
  kind: MovementKind
  /** True for movements of a policy that renews another. */
  renews: boolean
  unit: string
  unitCountry: number
  product: string
  certificate: string
  version: number
  startDate: string
  endDate: string
  insured: { name: string; country: number; isCompany: boolean }
  zone: string
  travellers: number
  sumInsuredCents: number | null
  currency: string
  entries: readonly Entry[]
  /** The part of the change in premium that is for cancellation cover. */
  cancellationCents: number
  cumulativeCents: number
  commissionPercent: number | null
  way: Way
  statement: string
}

/** The type of a cell: text, day, integer or decimal number, or amount of money. */
type Kind = 'text' | 'day' | 'number' | 'amount'

/** The columns of a bordereau in order, under the names that programs read. */
export const bordereauColumns = {
  rowId: 'text',
  corrects: 'text',
  periodStart: 'day',
  periodEnd: 'day',
  unit: 'text',
  agreementNo: 'text',
  product: 'text',
  class: 'text',
  riskCode: 'text',
  certificate: 'text',
  version: 'number',
  transaction: 'text',
  transactionDate: 'day',
  effectiveDate: 'day',
  expiryDate: 'day',
  insuredName: 'text',
  insuredCountry: 'text',
  takerType: 'text',
  riskCountry: 'text',
  residesElsewhere: 'text',
  zone: 'text',
  riskStart: 'day',
  riskEnd: 'day',
  travellers: 'number',
  sumInsured: 'amount',
  currency: 'text',
  grossPremium: 'amount',
  premium: 'amount',
  travelPremium: 'amount',
  cancellationPremium: 'amount',
  cumulativeGross: 'amount',
  ...taxColumns(1),
  ...taxColumns(2),
  ...taxColumns(3),
  commissionPercent: 'number',
  commission: 'amount',
  net: 'amount',
  paymentWay: 'text',
  statementNo: 'text',
} as const satisfies Record<string, Kind>

export type BordereauColumn = keyof typeof bordereauColumns

/** A row in the order of the columns. Amounts are in major units; cells that do not apply are null. */
export type BordereauRow = Record<BordereauColumn, string | number | null>

function taxColumns<N extends 1 | 2 | 3>(number: N) {
  const names = [
    [`tax${number}Jurisdiction`, 'text'],
    [`tax${number}Type`, 'text'],
    [`tax${number}Rate`, 'number'],
    [`tax${number}Taxable`, 'amount'],
    [`tax${number}Amount`, 'amount'],
    [`tax${number}Kept`, 'amount'],
  ] as const
  // Safe: the names match the type.
  return Object.fromEntries(names) as Record<`tax${N}${'Jurisdiction' | 'Type'}`, 'text'> &
    Record<`tax${N}Rate`, 'number'> &
    Record<`tax${N}${'Taxable' | 'Amount' | 'Kept'}`, 'amount'>
}

const mostTaxes = 3

/** A tax of a movement and the part of the premium on which it is computed, in cents. */
export type TaxOfMovement = { code: string; country: number; rate: number | null; taxable: number | null; amount: number; kept: number }

export type ReadMovement = {
  facts: MovementFacts
  amounts: BordereauAmounts
  transaction: Transaction
  taxes: TaxOfMovement[]
  riskCountry: number
  isLongElsewhere: boolean
}

/** Reads a movement from its entries: its amounts, and the country of its risk, which is where it is taxed. */
export function readMovement(facts: MovementFacts, known: KnownTaxes): ReadMovement {
  const amounts = bordereauAmounts(facts.entries)
  const order = [...known.keys()]
  const taxes = amounts.taxes
    .toSorted((one, other) => order.indexOf(one.code) - order.indexOf(other.code))
    .map(tax => taxOfMovement(tax, amounts.premium, known.get(tax.code), facts.unitCountry))
  if (taxes.length > mostTaxes) throw new Error(`a movement has more than ${mostTaxes} taxes: ${facts.id}`)
  const riskCountry = taxes[0]?.country ?? facts.unitCountry
  return {
    facts,
    amounts,
    transaction: transactionOf(facts, amounts.gross),
    taxes,
    riskCountry,
    isLongElsewhere: isLong(facts) && facts.insured.country !== riskCountry,
  }
}

function taxOfMovement(
  { code, amount, kept }: BordereauAmounts['taxes'][number],
  premium: number,
  known: KnownTax | undefined,
  unitCountry: number,
): TaxOfMovement {
  const share = known?.sharePercent ?? null
  return {
    code,
    country: known?.country ?? unitCountry,
    rate: known?.rate ?? null,
    taxable: share === null ? null : roundedRatio([premium, share], [100]),
    amount,
    kept,
  }
}

/** True for a policy of more than four months. Its risk is where its policyholder resides (docs/rating.md, step 7). */
const isLong = ({ startDate, endDate }: MovementFacts): boolean => endDate >= addMonths(startDate, 4)

/** Returns a country's name as written in the file. */
export type CountryCode = (id: number) => string

/** Writes out each cell: a row with computed keys takes several times as long, and a month may have a million rows. */
export function bordereauRow(
  { facts, amounts, transaction, taxes, riskCountry, isLongElsewhere }: ReadMovement,
  period: { month: string; from: string; to: string },
  codeOf: CountryCode,
): BordereauRow {
  const { agreement, class: insurance, risk } = agreementOf(facts.product)
  const [tax1, tax2, tax3] = taxes
  return {
    rowId: facts.id,
    corrects: facts.month === period.month ? null : facts.month,
    periodStart: period.from,
    periodEnd: period.to,
    unit: facts.unit,
    agreementNo: agreement,
    product: facts.product,
    class: insurance,
    riskCode: risk,
    certificate: facts.certificate,
    version: facts.version,
    transaction,
    transactionDate: facts.day,
    effectiveDate: facts.kind === 'sale' ? facts.startDate : facts.day,
    expiryDate: facts.endDate,
    insuredName: facts.insured.name,
    insuredCountry: codeOf(facts.insured.country),
    takerType: facts.insured.isCompany ? 'company' : 'person',
    riskCountry: codeOf(riskCountry),
    residesElsewhere: isLongElsewhere ? 'yes' : null,
    zone: facts.zone,
    riskStart: facts.startDate,
    riskEnd: facts.endDate,
    travellers: facts.travellers,
    sumInsured: orNull(facts.sumInsuredCents),
    currency: facts.currency,
    grossPremium: fromCents(amounts.gross),
    premium: fromCents(amounts.premium),
    travelPremium: fromCents(amounts.premium - facts.cancellationCents),
    cancellationPremium: fromCents(facts.cancellationCents),
    cumulativeGross: fromCents(facts.cumulativeCents),
    tax1Jurisdiction: tax1 ? codeOf(tax1.country) : null,
    tax1Type: tax1?.code ?? null,
    tax1Rate: tax1?.rate ?? null,
    tax1Taxable: orNull(tax1?.taxable),
    tax1Amount: orNull(tax1?.amount),
    tax1Kept: orNull(tax1?.kept),
    tax2Jurisdiction: tax2 ? codeOf(tax2.country) : null,
    tax2Type: tax2?.code ?? null,
    tax2Rate: tax2?.rate ?? null,
    tax2Taxable: orNull(tax2?.taxable),
    tax2Amount: orNull(tax2?.amount),
    tax2Kept: orNull(tax2?.kept),
    tax3Jurisdiction: tax3 ? codeOf(tax3.country) : null,
    tax3Type: tax3?.code ?? null,
    tax3Rate: tax3?.rate ?? null,
    tax3Taxable: orNull(tax3?.taxable),
    tax3Amount: orNull(tax3?.amount),
    tax3Kept: orNull(tax3?.kept),
    commissionPercent: facts.commissionPercent,
    commission: fromCents(amounts.commission),
    net: fromCents(amounts.net),
    paymentWay: facts.way,
    statementNo: facts.statement,
  }
}

const orNull = (cents: number | null | undefined): number | null => (cents === null || cents === undefined ? null : fromCents(cents))

/**
 * The terms under which the insurer's books list a product: the agreement with the agencies, the class of Directive 2009/138/EC, and the risk code.
 */
type Agreement = { agreement: string; class: string; risk: string }

const agreements: Record<string, Agreement> = {
  ESS: { agreement: 'MER-TRV-01', class: '18', risk: 'TA' },
  TOT: { agreement: 'MER-TRV-01', class: '18', risk: 'TA' },
  SNO: { agreement: 'MER-TRV-01', class: '18', risk: 'TS' },
  STU: { agreement: 'MER-TRV-02', class: '18', risk: 'TL' },
  HOM: { agreement: 'MER-TRV-02', class: '18', risk: 'TA' },
  ANN: { agreement: 'MER-TRV-03', class: '18', risk: 'TM' },
  GRP: { agreement: 'MER-TRV-04', class: '18', risk: 'TG' },
  CAN: { agreement: 'MER-CAN-01', class: '16', risk: 'TC' },
}

const usual: Agreement = { agreement: 'MER-TRV-01', class: '18', risk: 'TA' }

/** Returns a product's agreement, or the usual one if it has none of its own. */
export const agreementOf = (productCode: string): Agreement => agreements[productCode] ?? usual
