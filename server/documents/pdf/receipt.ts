import type { Price } from '#common/quotes/price-lines.ts'
import type { TaxAmount } from '#common/quotes/rating/taxes.ts'
import { today } from '#common/kit/dates.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { formatMoney } from '#common/kit/money.ts'
import type { Words } from '#common/kit/words/words.ts'
import { checkPart, day, frame, sidesPart } from './parts.ts'
import type { DocumentFacts, VersionFacts } from './facts.ts'
import type { PdfDocument, Row } from './document.ts'

/** Returns the premium receipt of the sale, or of what a step charges: the amount paid, with each tax on its own row. */
export function receipt(facts: DocumentFacts, words: Words, verify: string): PdfDocument {
  const { movement, policy } = facts
  const before = movement?.before
  const paid = movement ? movement.charge - movement.waived : policy.totalCents
  return {
    ...moneyFrame(facts, words, words('documents.receipt')),
    intro: before ? words('documents.receipt.intro_difference') : words('documents.receipt.intro'),
    parts: [
      ...moneyParts(facts, words, {
        label: words('documents.receipt.paid'),
        cents: paid,
        date: words('documents.receipt.date'),
        way: wayOf(facts, words),
      }),
      linesPart(facts, words, { heading: words('documents.receipt.lines'), before, sign: 1 }),
      ...notPaidPart(facts, words),
      checkPart(facts, words, verify),
    ],
  }
}

/** Returns the credit note of a step that gives money back, with each tax on its own row. */
export function creditNote(facts: DocumentFacts, words: Words, verify: string): PdfDocument {
  const cents = facts.movement?.refund ?? 0
  const name = words('documents.credit_note')
  return {
    ...moneyFrame(facts, words, name),
    intro: words('documents.credit_note.intro'),
    parts: [
      ...moneyParts(facts, words, {
        label: words('documents.credit_note.amount'),
        cents,
        date: words('documents.issued'),
        way: wayBack(facts, words),
      }),
      linesPart(facts, words, { heading: words('documents.receipt.lines'), before: facts.movement?.before, sign: -1 }),
      ...notPaidPart(facts, words),
      { kind: 'note', heading: words('documents.refund'), items: refundTexts(facts, words) },
      checkPart(facts, words, verify),
    ],
  }
}

const moneyFrame = (facts: DocumentFacts, words: Words, name: string) => ({ ...frame(facts, words, name), title: name })

type Amount = { label: string; cents: number; date: string; way: Row }

function moneyParts(facts: DocumentFacts, words: Words, { label, cents, date, way }: Amount): PdfDocument['parts'] {
  const { policy, seller } = facts
  return [
    {
      kind: 'hero',
      rows: [
        { label, value: formatMoney(cents, policy.locale, policy.currency) },
        { label: words('documents.number'), value: policy.number ?? '' },
        { label: date, value: day(today(policy.at, seller.timeZone)) },
      ],
    },
    sidesPart(facts, words, [way], [seller.legalName, addressOf(seller)].join(', ')),
  ]
}

/** Names the ways of the money: of the sale's payment, or those of the step. A charge that is waived or met by a stopped refund has none. */
export function wayOf({ movement, paidBy }: DocumentFacts, words: Words) {
  const gateways = movement ? movement.gateways : [paidBy]
  const names = gateways.map(gateway => words(gateway === 'StripeV2' ? 'documents.receipt.card' : 'documents.receipt.agency'))
  return { label: words('documents.receipt.how'), value: [...new Set(names)].join(', ') || '–' }
}

/** Names the ways by which the money of a step comes back. */
export function wayBack({ movement }: DocumentFacts, words: Words) {
  const gateways = movement?.gateways ?? []
  const names = gateways.map(gateway => words(gateway === 'StripeV2' ? 'documents.refund.by_card' : 'documents.refund.by_agency'))
  return { label: words('documents.refund.way'), value: [...new Set(names)].join(', ') || '–' }
}

/** Says how and until when money comes back. */
export function refundTexts({ movement, seller }: DocumentFacts, words: Words): string[] {
  const gateways = movement?.gateways ?? []
  return [
    ...(gateways.includes('StripeV2') ? [words('documents.refund.card')] : []),
    ...(gateways.some(gateway => gateway !== 'StripeV2') ? [words('documents.refund.agency', { agency: seller.brandName })] : []),
    ...(movement ? [words('documents.refund.days', { days: movement.refundDue.days, by: day(movement.refundDue.by) })] : []),
  ]
}

/** Says which part of the difference was not paid, now or before, as it is too small or an earlier refund had not left. */
function notPaidPart({ movement, policy }: DocumentFacts, words: Words): PdfDocument['parts'] {
  const money = (cents: number) => formatMoney(cents, policy.locale, policy.currency)
  const items = [
    ...(movement && movement.stopped > 0 ? [words('documents.receipt.stopped', { amount: money(movement.stopped) })] : []),
    ...(movement && movement.waived < 0 ? [words('documents.credit_note.waived', { amount: money(-movement.waived) })] : []),
    ...(movement && movement.waived > 0 ? [words('documents.receipt.waived', { amount: money(movement.waived) })] : []),
  ]
  return items.length > 0 ? [{ kind: 'note', heading: '', items }] : []
}

export type Lines = { heading: string; before: VersionFacts | undefined; sign: 1 | -1 }

/** Lists what was charged, or how it differs from the version before. */
export function linesPart({ policy, price }: DocumentFacts, words: Words, { heading, before, sign }: Lines): PdfDocument['parts'][number] {
  const money = (cents: number) => formatMoney(cents, policy.locale, policy.currency)
  const lines = priceRows(before?.price, price, policy.locale, words).map(({ name, was, is }) => ({ name, cents: sign * (is - was) }))
  return {
    kind: 'table',
    heading,
    columns: [
      { label: words('documents.receipt.what'), wide: true, end: false },
      { label: words('documents.receipt.amount'), wide: false, end: true },
    ],
    rows: lines.filter(({ cents }, index) => cents !== 0 || index >= premiums).map(({ name, cents }) => [name, money(cents)]),
    total: [words('documents.total'), money(sign * (policy.totalCents - (before?.policy.totalCents ?? 0)))],
  }
}

/** How many premiums come first. A premium of zero is left out, a tax of zero is not. */
const premiums = 2

/** Returns the lines of two prices side by side: premiums, then taxes. */
export function priceRows(before: Price | undefined, after: Price, locale: Locale, words: Words) {
  const taxes = [...after.taxes, ...(before?.taxes ?? []).filter(({ label }) => after.taxes.every(tax => tax.label !== label))]
  const centsOf = (price: Price | undefined, label: string) => price?.taxes.find(tax => tax.label === label)?.amount ?? 0
  return [
    { name: words('documents.receipt.travel'), was: before?.travelPremium ?? 0, is: after.travelPremium },
    { name: words('documents.receipt.cancellation'), was: before?.cancellationPremium ?? 0, is: after.cancellationPremium },
    ...taxes.map(tax => ({ name: taxName(tax, locale, words), was: centsOf(before, tax.label), is: centsOf(after, tax.label) })),
  ]
}

function taxName({ label, rate, sharePercent: share }: TaxAmount, locale: Locale, words: Words): string {
  const percent = new Intl.NumberFormat(intlTag(locale), { style: 'percent', maximumFractionDigits: 2 })
  if (share === null) return label
  if (share === 100) return `${label} (${percent.format(rate / 100)})`
  return words('documents.receipt.tax', { label, rate: percent.format(rate / 100), share: percent.format(share / 100) })
}

const addressOf = ({ address: { street, zipCode, city } }: DocumentFacts['seller']): string => `${street}, ${zipCode} ${city}`
