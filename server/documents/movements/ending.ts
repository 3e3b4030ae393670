import { today } from '#common/kit/dates.ts'
import { languageOf } from '#common/kit/locales.ts'
import { formatMoney } from '#common/kit/money.ts'
import type { Words } from '#common/kit/words/words.ts'
import { checkPart, day, filledRows, frame, sidesPart } from '../pdf/parts.ts'
import type { Part, PdfDocument } from '../pdf/document.ts'
import type { DocumentFacts } from '../pdf/facts.ts'
import { momentIn } from '../pdf/moment.ts'
import { refundTexts, wayBack } from '../pdf/receipt.ts'

/** Returns the confirmation of a cancellation: since when nothing is covered, and what is refunded how. */
export function cancellation(facts: DocumentFacts, words: Words, verify: string): PdfDocument {
  const { policy } = facts
  const name = words('documents.cancellation')
  return {
    ...frame(facts, words, name),
    title: name,
    intro: words('documents.cancellation.intro', { number: policy.number ?? '' }),
    parts: [
      heroPart(facts, words, words('documents.cancellation.at')),
      contractPart(facts, words),
      { kind: 'note', heading: words('documents.cover_ends'), items: [coverText(facts, words), words('documents.cover_ends.certificate')] },
      refundPart(facts, words),
      checkPart(facts, words, verify),
    ],
  }
}

/** Returns the receipt of a withdrawal: the statement, the day and time at which it was received, and the contract. */
export function withdrawal(facts: DocumentFacts, words: Words, verify: string): PdfDocument {
  const { policy, movement, product, seller } = facts
  const name = words('documents.withdrawal')
  const statement = {
    name: movement?.by ?? '',
    number: policy.number ?? '',
    product: product.described.product.name[languageOf(policy.locale)],
    insurer: product.described.insurer.legalName,
    sold: day(today(policy.soldAt, seller.timeZone)),
  }
  return {
    ...frame(facts, words, name),
    title: name,
    intro: words('documents.withdrawal.intro'),
    parts: [
      heroPart(facts, words, words('documents.withdrawal.received')),
      { kind: 'note', heading: words('documents.withdrawal.statement'), items: [words('documents.withdrawal.statement.text', statement)] },
      contractPart(facts, words),
      { kind: 'note', heading: words('documents.cover_ends'), items: [coverText(facts, words), words('documents.cover_ends.certificate')] },
      refundPart(facts, words),
      { kind: 'note', heading: '', items: [words('documents.withdrawal.keep')] },
      checkPart(facts, words, verify),
    ],
  }
}

const heroPart = (facts: DocumentFacts, words: Words, label: string): Part => ({
  kind: 'hero',
  rows: [
    { label: words('documents.number'), value: facts.policy.number ?? '' },
    { label, value: momentIn(facts.policy.at, facts) },
  ],
})

function contractPart(facts: DocumentFacts, words: Words): Part {
  const { policy, movement, trip, seller } = facts
  const refund = movement?.refund ?? 0
  return sidesPart(facts, words, [
    ...filledRows(
      [words('documents.sold'), day(today(policy.soldAt, seller.timeZone))],
      [words('documents.period'), `${day(trip.startDate)} – ${day(trip.endDate)}`],
      [words('documents.refund'), formatMoney(refund, policy.locale, policy.currency)],
    ),
    ...(refund > 0 ? [wayBack(facts, words)] : []),
  ])
}

/** Cover that had begun lasts to the end of that day. */
const coverText = (facts: DocumentFacts, words: Words): string =>
  facts.movement?.coverEnds
    ? words('documents.cover_ends.day', { date: day(facts.movement.coverEnds) })
    : words('documents.cover_ends.none', { from: momentIn(facts.policy.at, facts) })

function refundPart(facts: DocumentFacts, words: Words): Part {
  const { policy, movement } = facts
  const refund = movement?.refund ?? 0
  const amount = formatMoney(refund, policy.locale, policy.currency)
  const items = refund > 0 ? [words('documents.refund.amount', { amount }), ...refundTexts(facts, words)] : [words('documents.refund.none')]
  return { kind: 'note', heading: words('documents.refund'), items }
}
