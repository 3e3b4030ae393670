import { today } from '#common/kit/dates.ts'
import { formatMoney } from '#common/kit/money.ts'
import type { Words } from '#common/kit/words/words.ts'
import { costOf, coverPart, notInsuredParts, tripPart, tripRows, waitPart } from './cover.ts'
import type { Part, PdfDocument } from './document.ts'
import { type DocumentFacts, type DocumentPerson, editionOf } from './facts.ts'
import { endIn, momentIn } from './moment.ts'
import { checkPart, day, filledRows, frame, identificationOf, placeName, sidesPart } from './parts.ts'
import { linesPart } from './receipt.ts'

/** Returns the certificate of a policy: who is insured for what, when and where. `verify` is the URL of the page that confirms it. */
export function certificate(facts: DocumentFacts, words: Words, verify: string): PdfDocument {
  const { product, policy } = facts
  const name = words('documents.certificate')
  const isShort = facts.trip.travellers <= mostBeforeCheck
  return {
    ...frame(facts, words, name),
    title: name,
    intro: [words('documents.certificate.intro', { conditions: product.conditions.version }), replacesText(facts, words)].join(' ').trim(),
    parts: [
      { kind: 'hero', rows: [...filledRows([words('documents.number'), policy.number ?? '']), ...tripRows(facts, words)] },
      ...gapPart(facts, words),
      tripPart(facts, words),
      sidesPart(facts, words, contractRows(facts, words)),
      insuredPart(facts, words),
      helpPart(facts, words),
      ...(isShort ? [checkPart(facts, words, verify)] : []),
      // The first page is shown at hospitals and borders. The rest starts on the next page.
      { kind: 'page' },
      coverPart(facts, words),
      ...waitPart(facts, words),
      ...notInsuredParts(facts),
      linesPart(facts, words, { heading: words('documents.premium'), before: undefined, sign: 1 }),
      // If the second page lacks room, the insurer continues on the third, and never the code alone.
      ...(isShort ? [] : [checkPart(facts, words, verify)]),
      ...insurerParts(facts, words),
    ],
  }
}

/** With more travellers, the first page has no room for the check code. */
const mostBeforeCheck = 3

/** Returns a quote's document: its price, until when it is valid, what is covered and what is not. Nothing is insured yet. */
export function offer(facts: DocumentFacts, words: Words): PdfDocument {
  const { policy, seller, people } = facts
  const until = endIn(policy.priceValidUntil, facts)
  const total = formatMoney(policy.totalCents, policy.locale, policy.currency)
  const [period, ...places] = tripRows(facts, words)
  const forHowMany = words('documents.travellers', { travellers: facts.trip.travellers })
  const next = words('documents.quote.next.note', { ...seller.contactInfo })
  const note = words('documents.quote.until', { until })
  return {
    ...frame(facts, words, words('documents.quote')),
    title: words('documents.quote'),
    intro: words('documents.quote.intro', { brand: seller.brandName }),
    parts: [
      {
        kind: 'hero',
        rows: [
          { label: words('documents.quote.price'), value: total, note },
          { ...period, note: `${period.note} · ${forHowMany}` },
          ...places,
        ],
      },
      tripPart(facts, words),
      ...(people.some(({ name }) => name) ? [insuredPart(facts, words)] : []),
      coverPart(facts, words),
      ...notInsuredParts(facts),
      {
        kind: 'note',
        heading: words('documents.quote.next'),
        items: [next, ...(policy.provisional ? [words('documents.quote.provisional')] : [])],
      },
    ],
  }
}

function contractRows(facts: DocumentFacts, words: Words) {
  const { policy, seller, trip } = facts
  return filledRows(
    [words('documents.origin'), placeName(trip.origin, policy.locale)],
    [words('documents.issued'), day(today(policy.at, seller.timeZone))],
    [words('documents.edition'), editionOf(policy) > 1 ? String(editionOf(policy)) : ''],
    [words('documents.cost'), costOf(facts, words)],
    [words('documents.reserved'), day(trip.reservationDate)],
    [words('documents.reference'), policy.reference],
  )
}

function insuredPart({ people, movement, seller }: DocumentFacts, words: Words): Part {
  const nameOf = ({ id, name }: DocumentPerson) => {
    const joined = movement?.joined.get(id)
    return joined ? `${name}, ${words('documents.cover_from', { date: day(today(joined, seller.timeZone)) })}` : name
  }
  const cells = (person: DocumentPerson, index: number) => [
    String(index + 1),
    nameOf(person),
    day(person.birthDate),
    identificationOf(person, words) || '–',
  ]
  return {
    kind: 'table',
    heading: words('documents.insured'),
    columns: [
      { label: words('documents.row_number'), wide: false, end: false },
      { label: words('documents.name'), wide: true, end: false },
      { label: words('documents.birth_date'), wide: false, end: false },
      { label: words('documents.identification'), wide: false, end: true },
    ],
    rows: people.filter(({ traveller }) => traveller).map(cells),
  }
}

function helpPart({ product, policy }: DocumentFacts, words: Words): Part {
  const { emergencyPhone, supportEmail } = product.described.insurer
  const note = words('documents.help.note', { number: policy.number ?? '' })
  return { kind: 'help', heading: words('documents.help'), note, phone: emergencyPhone, email: supportEmail }
}

/** Says who the insurer is, who authorises and supervises it, and where to complain. What the catalogue does not state has no line. */
function insurerParts({ product, policy }: DocumentFacts, words: Words): Part[] {
  const { insurer } = product.described
  const { country, seat, register, supervisor, authorisation, supportEmail } = insurer
  return [
    {
      kind: 'facts',
      sides: [
        {
          heading: words('documents.insurer'),
          rows: filledRows(
            [words('documents.insurer.seat'), seat],
            [words('documents.insurer.state'), country === undefined ? '' : placeName(country, policy.locale)],
            [words('documents.insurer.register'), register],
            [words('documents.insurer.authorisation'), authorisation],
          ),
        },
        {
          heading: words('documents.complaints'),
          rows: filledRows([words('documents.complaints.to'), supportEmail], [words('documents.complaints.then'), supervisor]),
        },
      ],
    },
  ]
}

/** Names the certificate that this one replaces. */
function replacesText(facts: DocumentFacts, words: Words): string {
  const { movement, policy, seller } = facts
  if (!movement?.replaces) return ''
  const { edition, at } = movement.replaces
  return words('documents.certificate.replaces', { version: editionOf(policy), former: edition, date: day(today(at, seller.timeZone)) })
}

/** After a reinstatement the certificate says that nothing was covered in between. */
function gapPart(facts: DocumentFacts, words: Words): Part[] {
  const { movement, policy } = facts
  if (movement?.kind !== 'reinstatement') return []
  const gap = { from: momentIn(movement.before.policy.at, facts), to: momentIn(policy.at, facts) }
  return [{ kind: 'note', heading: words('documents.valid_again'), items: [words('documents.valid_again.note', gap)] }]
}
