import { languageOf, type Locale } from '#common/kit/locales.ts'
import { displayDate } from '#common/kit/dates.ts'
import { formatMoney, toCents } from '#common/kit/money.ts'
import type { Words } from '#common/kit/words/words.ts'
import type { DeclineReason } from '#common/policies/quote-link.ts'
import { answered } from '#common/products/information.ts'
import type { Quote } from '#common/quotes/schemas.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import { brandOf, languageAndRegion, momentIn, type Part, type PdfDocument } from '#server/documents/public.ts'
import { priceLinesIn } from '../price-lines.ts'
import type { StoredQuote } from './stored.ts'

type ShownQuote = { stored: StoredQuote; files: { label: string; sha256: string }[] }

/** A client's answer to the quotes of a link. */
export type Answer = {
  decision: 'accepted' | 'declined'
  decidedPolicy: string | null
  reason: DeclineReason | null
  at: Date
  /** The name that the client typed to decline, or the policyholder who accepted. */
  by: string
  locale: Locale
  timeZone: string
  quotes: [ShownQuote, ...ShownQuote[]]
}

/** Writes the proof of an answer: the quotes as they were offered, and what the client declared when. */
export function proofOfAnswer(answer: Answer, unit: UnitSettings, words: Words): PdfDocument {
  const { decision, decidedPolicy, at, locale, quotes } = answer
  const title = words('documents.answer', { decision })
  const [{ stored: first }] = quotes
  const { insurer } = first.sold.common.content
  return {
    ...languageAndRegion(locale),
    title,
    subtitle: first.policy.taker,
    running: title,
    intro: words('documents.answer.intro', { agency: unit.legalName, decision }),
    footer: words('documents.quote.footer', {
      insurer: insurer.legalName,
      insurerTaxId: insurer.taxId,
      agency: unit.legalName,
      agencyTaxId: unit.taxId,
    }),
    brand: brandOf(unit.brandName, unit.accent, [unit.contactInfo.phone, unit.contactInfo.email], unit.logo),
    parts: [
      {
        kind: 'hero',
        rows: [
          { label: words('documents.answer.at'), value: momentIn(at, { policy: { locale }, seller: answer }) },
          { label: words('documents.holder'), value: first.policy.taker },
          { label: words('documents.answer.by'), value: answer.by },
          ...(first.policy.reference ? [{ label: words('documents.reference'), value: first.policy.reference }] : []),
          ...(answer.reason ? [{ label: words('documents.answer.reason'), value: words('share.reason', { reason: answer.reason }) }] : []),
        ],
      },
      ...quotes.flatMap(quote => quoteParts(quote, words, quote.stored.policy.id === decidedPolicy && decision === 'accepted')),
    ],
    at,
  }
}

function quoteParts({ stored, files }: ShownQuote, words: Words, isAccepted: boolean): Part[] {
  const { policy, version, lines, sold } = stored
  const { locale, currency } = policy
  const { insurer, zones, taxes, information } = sold.common.content
  const described = { product: sold.product, tariff: sold.tariff, insurer, zones }
  const money = (cents: number) => formatMoney(cents, locale, currency)
  const name = sold.product.name[languageOf(locale)]
  // Safe: registration.ts writes it.
  const { quote, shown, trip } = version.content as Content
  const premiums: Record<string, string> = {
    travel: words('documents.receipt.travel'),
    cancellation: words('documents.receipt.cancellation'),
  }
  const restrictions = answered('restrictions', described, information, { locale, currency })
  const declared = [
    ...(shown ? [shown.demandsAndNeeds, words('documents.answer.received')] : []),
    ...(typeof trip.askedToBegin === 'boolean' ? [words('documents.answer.begin', { begins: trip.askedToBegin ? 'yes' : 'no' })] : []),
  ]
  return [
    {
      kind: 'table',
      heading: `${name} · ${displayDate(policy.start_date) ?? ''} – ${displayDate(policy.end_date) ?? ''}`,
      columns: [
        { label: words('documents.receipt.what'), wide: true, end: false },
        { label: words('documents.receipt.amount'), wide: false, end: true },
      ],
      rows: priceLinesIn(lines, { taxes, named: quote.taxes ?? [] }, locale).map(({ kind, label, amount }) => [
        premiums[kind] ?? label ?? '',
        money(toCents(amount) ?? 0),
      ]),
      total: [words('documents.total'), money(policy.total_cents)],
    },
    { kind: 'note', heading: restrictions.heading, items: restrictions.items },
    {
      kind: 'table',
      heading: words('documents.answer.documents'),
      columns: [
        { label: words('documents.answer.document'), wide: false, end: false },
        { label: 'SHA-256', wide: true, end: false },
      ],
      rows: files.map(({ label, sha256 }) => [label, sha256]),
    },
    ...(isAccepted && declared.length > 0 ? [{ kind: 'note' as const, heading: words('documents.answer.declared'), items: declared }] : []),
  ]
}

type Content = {
  quote: { taxes?: Quote['taxes'] }
  shown?: { demandsAndNeeds: string }
  trip: { askedToBegin?: boolean | null }
}
