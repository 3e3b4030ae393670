import { calculationOf, paidAmount, type Step, stepNames } from '#common/accounting/calculation.ts'
import { displayDate, today } from '#common/kit/dates.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { formatMoney } from '#common/kit/money.ts'
import { ibanGrouped } from '#common/kit/validators/accounts.ts'
import {
  dueOfRow,
  type EarnedRow,
  linesOf,
  monthOfRow,
  type PaymentRow,
  type ProductSums,
  productSumsOf,
  type Span,
  type StatementRow,
} from '#server/accounting/public.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Words } from '#common/kit/words/words.ts'
import type { CatalogueInsurer } from '#common/products/catalogue.ts'
import { commonContent } from '#server/products/public.ts'
import { brandOf, languageAndRegion, type Part, type PdfDocument, type Row } from '../pdf/document.ts'

/** The most lines that a document lists. A longer statement has its sums by product there, and its lines in the workbook. */
export const mostLines = 600

/** The facts that a statement's document shows: nothing of it changes after the closing. */
export type StatementFacts = {
  row: StatementRow
  unit: UnitSettings
  insurer: Pick<CatalogueInsurer, 'legalName' | 'taxId' | 'accounts'>
  netting: number
  payments: PaymentRow[]
  /** The lines, or the sums by product if there are too many. */
  lines: EarnedRow[] | undefined
  products: ProductSums[]
}

type Settled = Pick<StatementFacts, 'netting' | 'payments'>

type Opened = { row: StatementRow; span: Span; unit: UnitSettings; locale: Locale }

export async function readStatementFacts(tx: UnitTx, { row, span, unit, locale }: Opened, settled: Settled): Promise<StatementFacts> {
  const isLong = row.deeds > mostLines
  return {
    row,
    unit,
    insurer: (await commonContent(tx)).content.insurer,
    ...settled,
    lines: isLong ? undefined : await linesOf(tx, span, { limit: mostLines }),
    products: isLong ? await productSumsOf(tx, row, locale) : [],
  }
}

type Reader = { facts: StatementFacts; locale: Locale; words: Words; money: (cents: number) => string }

export function statementDocument(facts: StatementFacts, locale: Locale, words: Words): PdfDocument {
  const { row, unit, insurer } = facts
  const reader = { facts, locale, words, money: (cents: number) => formatMoney(cents, locale, row.currency) }
  const title = words('documents.statement.name', { number: row.number })
  const month = new Intl.DateTimeFormat(intlTag(locale), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const { brandName, accent, contactInfo, logo } = unit
  return {
    ...languageAndRegion(locale),
    title,
    subtitle: month.format(new Date(`${row.month}T00:00:00Z`)),
    running: title,
    intro: words('documents.statement.intro', { date: day(today(row.closed_at, unit.timeZone)) }),
    footer: words('documents.footer', {
      insurer: insurer.legalName,
      insurerTaxId: insurer.taxId,
      agency: unit.legalName,
      agencyTaxId: unit.taxId,
    }),
    brand: brandOf(brandName, accent, [contactInfo.phone, contactInfo.email], logo),
    parts: [hero(reader), parties(reader), sums(reader), ...payments(reader), ...lines(reader)],
    at: row.closed_at,
  }
}

const day = (date: string): string => displayDate(date) ?? date

/** Says who pays whom, how much, until when, and to which account. */
function hero(reader: Reader): Part {
  const { facts, words, money } = reader
  const { row } = facts
  const due = dueOfRow(row)
  const amounts = [due.account, due.commission].filter(cents => cents !== 0)
  const payer = (cents: number): Row & { note?: string } => ({
    label: words(cents > 0 ? 'documents.statement.agency_pays' : 'documents.statement.insurer_pays'),
    value: money(Math.abs(cents)),
    ...(cents > 0 ? payTo(reader) : {}),
  })
  const nothing: Row = { label: words('accounting.due'), value: money(0) }
  return {
    kind: 'hero',
    rows: [...(amounts.length > 0 ? amounts.map(payer) : [nothing]), { label: words('accounting.due_day'), value: day(row.due_on) }],
  }
}

/** The account to which the agency pays, and the reference, as the screen says them. */
function payTo({ facts: { row, insurer }, words }: Reader): { note?: string } {
  const iban = insurer.accounts?.[row.currency]
  return iban ? { note: words('accounting.pay_to', { iban: ibanGrouped(iban), number: row.number }) } : {}
}

function parties({ facts: { unit, insurer }, words }: Reader): Part {
  const { street, zipCode, city } = unit.address
  return {
    kind: 'facts',
    sides: [
      {
        heading: words('documents.statement.agency'),
        rows: [
          { label: words('documents.name'), value: unit.legalName },
          { label: words('documents.company_number'), value: unit.taxId },
          { label: words('documents.address'), value: `${street}, ${zipCode} ${city}` },
        ],
      },
      {
        heading: words('documents.insurer'),
        rows: [
          { label: words('documents.name'), value: insurer.legalName },
          { label: words('documents.company_number'), value: insurer.taxId },
        ],
      },
    ],
  }
}

/** Lists how the amount due came about. */
function sums({ facts: { row, netting }, words, money }: Reader): Part {
  const line = (step: Step) => [stepName(step, row, words), money(step.account), money(step.commission)]
  const steps = calculationOf(monthOfRow(row, netting)).map(line)
  return {
    kind: 'table',
    heading: words('accounting.sums'),
    columns: [
      { label: words('documents.receipt.what'), wide: true, end: false },
      { label: words('accounting.on_account'), wide: false, end: true },
      { label: words('accounting.earned'), wide: false, end: true },
    ],
    rows: steps.slice(0, -1),
    total: steps.at(-1) ?? [],
  }
}

/** Lists what was paid in the month. Later payments are on the next statement. */
function payments({ facts: { row, payments: paid }, words, money }: Reader): Part[] {
  const hint: Part[] = row.netted ? [{ kind: 'note', heading: '', items: [words('accounting.netted_hint')] }] : []
  if (paid.length === 0) return hint
  const column = (label: string, wide = false) => ({ label, wide, end: false })
  return [
    ...hint,
    {
      kind: 'table',
      heading: words('accounting.payments'),
      columns: [
        column(words('documents.statement.day')),
        column(words('documents.receipt.what')),
        column(words('documents.reference'), true),
        { ...column(words('documents.receipt.amount')), end: true },
      ],
      rows: paid.map(each => [day(each.on), paymentName(each, words), each.reference, money(paidAmount(each))]),
    },
  ]
}

type Columns = Extract<Part, { kind: 'table' }>['columns']

/** Lists the lines, or says where they are and adds them up by product. */
function lines({ facts, words, money }: Reader): Part[] {
  const { row, unit, products } = facts
  const names = [words('accounting.gross'), words('accounting.on_account'), words('accounting.earned')]
  const amounts: Columns = names.map(label => ({ label, wide: false, end: true }))
  const sums = [row.gross_cents, row.account_cents, row.earned_cents].map(money)
  const column = (label: string, wide = false) => ({ label, wide, end: false })
  if (!facts.lines)
    return [
      { kind: 'note', heading: words('accounting.lines'), items: [words('documents.statement.many', { count: row.deeds })] },
      {
        kind: 'table',
        heading: words('documents.statement.by_product'),
        columns: [column(words('accounting.product'), true), { ...column(words('accounting.deeds')), end: true }, ...amounts],
        rows: products.map(({ name, deeds, gross, account, earned }) => [name, String(deeds), ...[gross, account, earned].map(money)]),
        total: [words('documents.total'), String(row.deeds), ...sums],
      },
    ]
  if (facts.lines.length === 0) return []
  const [at, what, policy] = [words('documents.statement.day'), words('accounting.what'), words('accounting.policy')]
  return [
    {
      kind: 'table',
      heading: words('accounting.lines'),
      columns: [column(at), column(what), column(policy), column(words('accounting.product'), true), ...amounts],
      rows: facts.lines.map(line => [
        day(today(line.at, unit.timeZone)),
        words('accounting.kind', { kind: line.kind }),
        words('documents.statement.version', { number: line.number ?? '', version: line.edition }),
        [line.product_name, line.reference].filter(Boolean).join(' · '),
        ...[line.gross_cents, line.account_cents, line.earned_cents].map(money),
      ]),
      total: [words('documents.total'), '', '', '', ...sums],
    },
  ]
}

export function stepName({ name }: Step, { deeds, stamp_duty_bp }: StatementRow, words: Words): string {
  if (name === 'deeds') return words(stepNames.deeds, { count: deeds })
  return name === 'stamp_duty' ? words(stepNames.stamp_duty, { percent: stamp_duty_bp / 100 }) : words(stepNames[name])
}

/** Says who paid, or that the payment was reversed. */
export function paymentName({ way, reverses }: PaymentRow, words: Words): string {
  const what = words('accounting.payment_kind', { kind: way })
  return reverses ? words('accounting.payment_reversed', { what }) : what
}
