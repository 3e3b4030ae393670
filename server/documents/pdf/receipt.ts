import { today } from '#common/kit/dates.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { formatMoney } from '#common/kit/money.ts'
import type { Words } from '#server/kit/words.ts'
import { day, frame, holderSide } from './certificate.ts'
import type { DocumentFacts } from './facts.ts'
import type { PdfDocument } from './document.ts'

/** Returns the premium receipt: the amount paid, with each tax on its own row. */
export function receipt(facts: DocumentFacts, words: Words): PdfDocument {
  const { policy, seller, product } = facts
  const name = words('documents.receipt')
  const paidBy = words(facts.paidBy === 'StripeV2' ? 'documents.receipt.card' : 'documents.receipt.agency')
  return {
    ...frame(facts, words, name),
    title: name,
    intro: words('documents.receipt.intro'),
    parts: [
      {
        kind: 'hero',
        rows: [
          { label: words('documents.receipt.paid'), value: formatMoney(policy.totalCents, policy.locale, policy.currency) },
          { label: words('documents.number'), value: policy.number ?? '' },
          { label: words('documents.receipt.date'), value: day(today(policy.at, seller.timeZone)) },
        ],
      },
      {
        kind: 'facts',
        sides: [
          holderSide(facts, words),
          {
            heading: words('documents.contract'),
            rows: [
              { label: words('documents.insurer'), value: product.described.insurer.legalName },
              { label: words('documents.agency'), value: [seller.legalName, addressOf(seller)].join(', ') },
              { label: words('documents.receipt.how'), value: paidBy },
            ],
          },
        ],
      },
      linesPart(facts, words),
    ],
  }
}

function linesPart({ policy, price }: DocumentFacts, words: Words): PdfDocument['parts'][number] {
  const money = (cents: number) => formatMoney(cents, policy.locale, policy.currency)
  return {
    kind: 'table',
    heading: words('documents.receipt.lines'),
    columns: [
      { label: words('documents.receipt.what'), wide: true, end: false },
      { label: words('documents.receipt.amount'), wide: false, end: true },
    ],
    rows: [
      ...(price.travel > 0 ? [[words('documents.receipt.travel'), money(price.travel)]] : []),
      ...(price.cancellation > 0 ? [[words('documents.receipt.cancellation'), money(price.cancellation)]] : []),
      ...price.taxes.map(tax => [taxName(tax, policy.locale, words), money(tax.cents)]),
    ],
    total: [words('documents.total'), money(policy.totalCents)],
  }
}

function taxName({ label, rate, share }: DocumentFacts['price']['taxes'][number], locale: Locale, words: Words): string {
  const percent = new Intl.NumberFormat(intlTag(locale), { style: 'percent', maximumFractionDigits: 2 })
  if (rate === null || share === null) return label
  if (share === 100) return `${label} (${percent.format(rate / 100)})`
  return words('documents.receipt.tax', { label, rate: percent.format(rate / 100), share: percent.format(share / 100) })
}

const addressOf = ({ address: { street, zipCode, city } }: DocumentFacts['seller']): string => `${street}, ${zipCode} ${city}`
