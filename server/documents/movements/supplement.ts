import { formatMoney } from '#common/kit/money.ts'
import type { Words } from '#common/kit/words/words.ts'
import { checkPart, day, filledRows, frame, holderSide, identificationOf, placesOf, placeName, sidesPart } from '../pdf/parts.ts'
import type { Part, PdfDocument, Row } from '../pdf/document.ts'
import { type DocumentFacts, type DocumentPerson, editionOf, type VersionFacts } from '../pdf/facts.ts'
import { momentIn } from '../pdf/moment.ts'
import { priceRows, refundTexts, wayBack, wayOf } from '../pdf/receipt.ts'

/** Returns the supplement of a change: each difference, before and after, since when, and the price line by line. */
export function supplement(facts: DocumentFacts, words: Words, verify: string): PdfDocument {
  const { policy, movement } = facts
  const name = words('documents.supplement')
  const before = movement?.before ?? facts
  return {
    ...frame(facts, words, name),
    title: name,
    intro: words(movement?.kind === 'undo' ? 'documents.supplement.undo' : 'documents.supplement.intro', { number: policy.number ?? '' }),
    parts: [
      {
        kind: 'hero',
        rows: [
          { label: words('documents.number'), value: policy.number ?? '' },
          { label: words('documents.edition'), value: String(editionOf(policy)) },
          { label: words('documents.supplement.from'), value: momentIn(policy.at, facts) },
        ],
      },
      sidesPart(facts, words, moneyRows(facts, words)),
      ...changesPart(before, facts, words),
      pricesPart(before, facts, words),
      ...needsPart(facts, words),
      ...notesPart(facts, words),
      checkPart(facts, words, verify),
    ],
  }
}

/** States what was paid for the change, or comes back, and by which way. */
function moneyRows(facts: DocumentFacts, words: Words): Row[] {
  const { movement, policy } = facts
  const { charge, waived, refund } = movement ?? { charge: 0, waived: 0, refund: 0 }
  const money = (cents: number) => formatMoney(cents, policy.locale, policy.currency)
  if (charge - waived > 0) return [...filledRows([words('documents.receipt.paid'), money(charge - waived)]), wayOf(facts, words)]
  return refund > 0 ? [...filledRows([words('documents.credit_note.amount'), money(refund)]), wayBack(facts, words)] : []
}

/** Lists the facts that differ, before and after; empty if none does. */
export function changesPart(before: VersionFacts, after: DocumentFacts, words: Words): Part[] {
  const rows = [...tripRows(before, after, words), ...peopleRows(before, after, words)]
  if (rows.length === 0) return []
  return [
    {
      kind: 'table',
      heading: words('documents.supplement.changes'),
      columns: [
        { label: words('documents.supplement.what'), wide: false, end: false },
        { label: words('documents.supplement.was'), wide: true, end: false },
        { label: words('documents.supplement.is'), wide: true, end: false },
      ],
      rows,
    },
  ]
}

/** The facts of the trip and of the policyholder that differ. */
function tripRows(before: VersionFacts, after: VersionFacts, words: Words): string[][] {
  const { locale, currency } = after.policy
  const money = (cents: number | undefined) => (cents === undefined ? '–' : formatMoney(cents, locale, currency))
  const holderOf = (facts: VersionFacts) =>
    holderSide(facts, words)
      .rows.map(({ value }) => value)
      .join(' · ')
  const facts: [label: string, read: (of: VersionFacts) => string][] = [
    [words('documents.period'), ({ trip }) => `${day(trip.startDate)} – ${day(trip.endDate)}`],
    [words('documents.origin'), ({ trip }) => placeName(trip.origin, locale)],
    [words('documents.destinations'), ({ trip }) => placesOf(trip.destinations, locale)],
    [words('documents.cost'), ({ trip }) => money(trip.amountCents)],
    [words('documents.reserved'), ({ trip }) => day(trip.reservationDate) || '–'],
    [words('documents.holder'), holderOf],
  ]
  return facts.map(([label, read]) => [label, read(before), read(after)]).filter(([, was, is]) => was !== is)
}

/** Lists travellers who join, leave or have other facts. */
function peopleRows(before: VersionFacts, after: VersionFacts, words: Words): string[][] {
  const describe = (person: DocumentPerson | undefined) =>
    person ? [person.name, day(person.birthDate), identificationOf(person, words)].filter(Boolean).join(' · ') : '–'
  const travellers = ({ people }: VersionFacts) => people.filter(({ traveller }) => traveller)
  const [were, are] = [travellers(before), travellers(after)]
  const pairs = [
    ...were.map(was => ({ was, is: are.find(({ id }) => id === was.id) })),
    ...are.filter(({ id }) => were.every(was => was.id !== id)).map(is => ({ was: undefined, is })),
  ]
  return pairs
    .map(({ was, is }) => [
      words(was ? (is ? 'documents.insured_person' : 'documents.leaves') : 'documents.joins'),
      describe(was),
      describe(is),
    ])
    .filter(([, was, is]) => was !== is)
}

/** The price line by line, before and after. */
export function pricesPart(before: VersionFacts, after: DocumentFacts, words: Words): Part {
  const { locale, currency, totalCents } = after.policy
  const money = (cents: number) => formatMoney(cents, locale, currency)
  const cells = (was: number, is: number) => [money(was), money(is), `${is > was ? '+' : ''}${money(is - was)}`]
  return {
    kind: 'table',
    heading: words('documents.supplement.price'),
    columns: [
      { label: words('documents.receipt.what'), wide: true, end: false },
      { label: words('documents.supplement.was'), wide: false, end: true },
      { label: words('documents.supplement.is'), wide: false, end: true },
      { label: words('documents.supplement.difference'), wide: false, end: true },
    ],
    rows: priceRows(before.price, after.price, locale, words)
      .filter(({ was, is }) => was !== 0 || is !== 0)
      .map(({ name, was, is }) => [name, ...cells(was, is)]),
    total: [words('documents.total'), ...cells(before.policy.totalCents, totalCents)],
  }
}

/** States the demands and needs that the change meets, if it has changed them. */
export const needsPart = ({ needs }: VersionFacts, words: Words): Part[] =>
  needs === null ? [] : [{ kind: 'note', heading: words('documents.needs'), items: [needs] }]

/** Says what is kept, when more cover begins, and how money comes back. */
function notesPart(facts: DocumentFacts, words: Words): Part[] {
  const { movement, policy } = facts
  if (!movement) return []
  const items = [
    ...(movement.kept > 0
      ? [words('documents.supplement.kept', { amount: formatMoney(movement.kept, policy.locale, policy.currency) })]
      : []),
    ...(movement.waitUntil ? [words('documents.waiting_period.addition', { until: momentIn(movement.waitUntil, facts) })] : []),
    ...(movement.refund > 0 ? refundTexts(facts, words) : []),
    words('documents.supplement.rest'),
  ]
  return [{ kind: 'note', heading: words('documents.supplement.notes'), items }]
}
