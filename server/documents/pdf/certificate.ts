import { countryName } from '#common/geography/countries.ts'
import { daysBetween, displayDate, today } from '#common/kit/dates.ts'
import { intlTag, languageOf } from '#common/kit/locales.ts'
import { formatMoney } from '#common/kit/money.ts'
import type { PersonLine } from '#common/people/person.ts'
import { coverageValue } from '#common/products/cover.ts'
import { manyTrips } from '#common/quotes/rating/many-trips.ts'
import type { PlainMessageId, Words } from '#common/kit/words/words.ts'
import { checkCode } from './check.ts'
import { type DocumentFacts, type DocumentPerson, editionOf } from './facts.ts'
import { endIn, momentIn } from './moment.ts'
import { brandOf, languageAndRegion, type PdfDocument, type Part, type Row } from './document.ts'
import { qrCode } from '#common/session/qr.ts'

/** Returns the certificate of a policy: who is insured for what, when and where. `verify` is the URL of the page that confirms it. */
export function certificate(facts: DocumentFacts, words: Words, verify: string): PdfDocument {
  const { product, policy } = facts
  const name = words('documents.certificate')
  return {
    ...frame(facts, words, name),
    title: name,
    intro: [words('documents.certificate.intro', { conditions: product.conditions.version }), replacesText(facts, words)].join(' ').trim(),
    parts: [
      { kind: 'hero', rows: [row(words('documents.number'), policy.number ?? ''), ...tripRows(facts, words)] },
      ...gapPart(facts, words),
      { kind: 'facts', sides: [holderSide(facts, words), contractSide(facts, words)] },
      insuredPart(facts, words),
      helpPart(facts, words),
      checkPart(facts, words, verify),
      // The first page is shown at hospitals and borders. The cover starts on the next page, undivided.
      { kind: 'page' },
      coverPart(facts, words),
      ...waitPart(facts, words),
    ],
  }
}

/** Returns a quote's document: its price, until when it is valid, and the cover. Nothing is insured yet. */
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
        rows: [{ ...row(words('documents.quote.price'), total), note }, { ...period, note: `${period.note} · ${forHowMany}` }, ...places],
      },
      ...(people.some(({ name }) => name) ? [insuredPart(facts, words)] : []),
      coverPart(facts, words),
      {
        kind: 'note',
        heading: words('documents.quote.next'),
        items: [next, ...(policy.provisional ? [words('documents.quote.provisional')] : [])],
      },
    ],
  }
}

/** Returns the frame that all documents of a policy share. */
export function frame(
  { seller, policy, product }: DocumentFacts,
  words: Words,
  name: string,
): Pick<PdfDocument, 'lang' | 'region' | 'subtitle' | 'running' | 'footer' | 'brand' | 'at'> {
  const { insurer } = product.described
  return {
    ...languageAndRegion(policy.locale),
    subtitle: product.described.product.name[languageOf(policy.locale)],
    running: [name, policy.number].filter(Boolean).join(' · '),
    footer: words('documents.footer', {
      insurer: insurer.legalName,
      insurerTaxId: insurer.taxId,
      agency: seller.legalName,
      agencyTaxId: seller.taxId,
    }),
    brand: brandOf(seller.brandName, seller.accent, [seller.contactInfo.phone, seller.contactInfo.email], seller.logo),
    at: policy.at,
  }
}

const row = (label: string, value: string): Row => ({ label, value })
const filledRows = (...rows: [label: string, value: string][]): Row[] => rows.filter(([, value]) => value).map(each => row(...each))

function tripRows({ policy, product, trip, days }: DocumentFacts, words: Words): [Row & { note: string }, Row & { note?: string }] {
  const { tariff, zones, product: content } = product.described
  const many = manyTrips({ tariff, zones, settings: content.settings }, trip)
  return [
    {
      ...row(words('documents.period'), `${day(trip.startDate)} – ${day(trip.endDate)}`),
      note: words('documents.days', { days }),
    },
    many
      ? {
          ...row(words('documents.zone'), many.zone[languageOf(policy.locale)]),
          note: words('documents.zone.note', { days: many.days ?? 0 }),
        }
      : row(words('documents.destinations'), placesOf(trip.destinations, policy.locale)),
  ]
}

export const placesOf = (ids: readonly number[], locale: DocumentFacts['policy']['locale']): string =>
  new Intl.ListFormat(intlTag(locale)).format(ids.map(id => placeName(id, locale)))

export const placeName = (id: number, locale: DocumentFacts['policy']['locale']): string => countryName(id, locale) ?? String(id)

function contractSide({ policy, product, seller, trip }: DocumentFacts, words: Words) {
  const cost = trip.amountCents === undefined ? '' : formatMoney(trip.amountCents, policy.locale, policy.currency)
  return {
    heading: words('documents.contract'),
    rows: filledRows(
      [words('documents.insurer'), product.described.insurer.legalName],
      [words('documents.agency'), seller.brandName],
      [words('documents.origin'), placeName(trip.origin, policy.locale)],
      [words('documents.issued'), day(today(policy.at, seller.timeZone))],
      [words('documents.edition'), editionOf(policy) > 1 ? String(editionOf(policy)) : ''],
      [words('documents.cost'), cost],
      [words('documents.reserved'), day(trip.reservationDate)],
      [words('documents.reference'), policy.reference],
    ),
  }
}

export function holderSide({ people, policy }: DocumentFacts, words: Words) {
  const holder = people.find(each => each.holder)
  const rows = Object.values(holderLines).flatMap((line): [string, string][] =>
    line && holder
      ? [[words(holder.isCompany && line.ofCompany ? line.ofCompany : line.label), line.value(holder, words, policy.locale)]]
      : [],
  )
  return { heading: words('documents.holder'), rows: filledRows(...rows) }
}

type Locale = DocumentFacts['policy']['locale']
type HolderLine = {
  label: PlainMessageId
  ofCompany?: PlainMessageId
  value: (holder: DocumentPerson, words: Words, locale: Locale) => string
}

/** The lines about the policyholder that documents show; null for those that they leave out. */
const holderLines: Record<PersonLine, HolderLine | null> = {
  name: { label: 'documents.name', value: ({ name }) => name },
  // The list of the insured has it, if the policyholder travels.
  birthDate: null,
  document: {
    label: 'documents.identification',
    ofCompany: 'documents.company_number',
    value: (holder, words) => identificationOf(holder, words),
  },
  email: null,
  phone: null,
  address: { label: 'documents.address', value: ({ address }) => address },
  residence: { label: 'documents.residence', value: ({ facts }, _, locale) => countryIn(facts.residenceCountryId, locale) },
}

const countryIn = (id: number | null | undefined, locale: Locale): string => (typeof id === 'number' ? placeName(id, locale) : '')

export const identificationOf = ({ documentNumber, hasPassport }: DocumentPerson, words: Words): string =>
  documentNumber && hasPassport ? words('documents.passport', { number: documentNumber }) : documentNumber

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

function coverPart({ product, policy }: DocumentFacts, words: Words): Part {
  const language = languageOf(policy.locale)
  return {
    kind: 'table',
    heading: words('documents.cover'),
    columns: [
      { label: words('documents.cover.what'), wide: true, end: false },
      { label: words('documents.cover.limit'), wide: false, end: true },
    ],
    rows: product.described.product.coverages.map(cover => [cover.name[language], coverageValue(cover, policy)]),
  }
}

/** docs/rating.md, step 5: cancellation cover bought long after the booking has a waiting period, and the certificate says so. */
function waitPart(facts: DocumentFacts, words: Words): Part[] {
  const { product, policy, seller, trip, movement } = facts
  const window = product.described.tariff.cancellation?.window
  const purchasedOn = today(policy.soldAt, seller.timeZone)
  const reservedOn = movement ? movement.reservedForSale : trip.reservationDate
  const isLate = window && reservedOn && daysBetween(reservedOn, purchasedOn) > window.immediateDays
  const items = [
    ...(isLate ? [words('documents.waiting_period.note', { days: window.immediateDays, hours: window.waitHours })] : []),
    ...(movement?.waits ?? []).map(until => words('documents.waiting_period.addition', { until: momentIn(until, facts) })),
  ]
  return items.length > 0 ? [{ kind: 'note', heading: words('documents.waiting_period'), items }] : []
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

/** Adds the code with which anyone can check whether a document is still valid. */
export function checkPart({ policy }: DocumentFacts, words: Words, verify: string): Part {
  const number = policy.number ?? ''
  const code = checkCode({ id: policy.id, number, edition: editionOf(policy) })
  const address = verify.replace(/^https?:\/\//, '')
  return {
    kind: 'check',
    heading: words('documents.check'),
    note: words('documents.check.note', { address }),
    rows: [row(words('documents.number'), number), row(words('documents.check.code'), code)],
    qr: pictureOf(`${verify}?number=${number}&code=${code}`),
    alt: words('documents.check.picture', { address, number, code }),
  }
}

/** Draws the code of an address. Certificate and receipt of a sale have the same, and follow each other. */
function pictureOf(address: string): ReturnType<typeof qrCode> {
  if (drawn?.address !== address) drawn = { address, picture: qrCode(address) }
  return drawn.picture
}

let drawn: { address: string; picture: ReturnType<typeof qrCode> } | undefined

export const day = (date: string | null | undefined): string => displayDate(date) ?? ''
