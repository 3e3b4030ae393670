import { createHash, timingSafeEqual } from 'node:crypto'
import { countryName } from '#common/geography/countries.ts'
import { displayDate } from '#common/kit/dates.ts'
import { intlTag, languageOf } from '#common/kit/locales.ts'
import type { PersonLine } from '#common/people/person.ts'
import { qrCode } from '#common/session/qr.ts'
import type { PlainMessageId, Words } from '#common/kit/words/words.ts'
import { type DocumentFacts, type DocumentPerson, editionOf } from './facts.ts'
import { brandOf, languageAndRegion, type PdfDocument, type Part, type Row } from './document.ts'

/** The parts that several documents of a policy have. */

type Locale = DocumentFacts['policy']['locale']

/** Returns the frame that all documents of a policy share. */
export function frame(
  { seller, policy, product }: DocumentFacts,
  words: Words,
  name: string,
): Pick<PdfDocument, 'lang' | 'region' | 'subtitle' | 'running' | 'footer' | 'brand' | 'at'> {
  const { insurer } = product.described
  const parties = {
    insurer: insurer.legalName,
    insurerTaxId: insurer.taxId,
    agency: seller.legalName,
    agencyTaxId: seller.taxId,
  }
  return {
    ...languageAndRegion(policy.locale),
    subtitle: product.described.product.name[languageOf(policy.locale)],
    running: [name, policy.number].filter(Boolean).join(' · '),
    footer: policy.number === null ? words('documents.quote.footer', parties) : words('documents.footer', parties),
    brand: brandOf(seller.brandName, seller.accent, [seller.contactInfo.phone, seller.contactInfo.email], seller.logo),
    at: policy.at,
  }
}

export const filledRows = (...rows: [label: string, value: string | undefined][]): Row[] =>
  rows.flatMap(([label, value]) => (value ? [{ label, value }] : []))

/** Returns the policyholder beside the contract: the insurer, the agency, and what the document adds. */
export const sidesPart = (facts: DocumentFacts, words: Words, more: Row[], agency = facts.seller.brandName): Part => ({
  kind: 'facts',
  sides: [
    holderSide(facts, words),
    {
      heading: words('documents.contract'),
      rows: [
        ...filledRows([words('documents.insurer'), facts.product.described.insurer.legalName], [words('documents.agency'), agency]),
        ...more,
      ],
    },
  ],
})

export function holderSide({ people, policy }: DocumentFacts, words: Words): { heading: string; rows: Row[] } {
  const holder = people.find(each => each.holder)
  const rows = Object.values(holderLines).flatMap((line): [string, string][] =>
    line && holder
      ? [[words(holder.isCompany && line.ofCompany ? line.ofCompany : line.label), line.value(holder, words, policy.locale)]]
      : [],
  )
  return { heading: words('documents.holder'), rows: filledRows(...rows) }
}

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

export const placesOf = (ids: readonly number[], locale: Locale): string =>
  new Intl.ListFormat(intlTag(locale)).format(ids.map(id => placeName(id, locale)))

export const placeName = (id: number, locale: Locale): string => countryName(id, locale) ?? String(id)

/** Adds the code with which anyone can check whether a document is still valid. */
export function checkPart({ policy }: DocumentFacts, words: Words, verify: string): Part {
  const number = policy.number ?? ''
  const code = checkCode({ id: policy.id, number, edition: editionOf(policy) })
  const address = verify.replace(/^https?:\/\//, '')
  return {
    kind: 'check',
    heading: words('documents.check'),
    note: words('documents.check.note', { address }),
    rows: filledRows([words('documents.number'), number], [words('documents.check.code'), code]),
    qr: pictureOf(`${verify}?number=${number}&code=${code}`),
    alt: words('documents.check.picture', { address, number, code }),
    low: true,
  }
}

/** Draws the code of an address. Certificate and receipt of a sale have the same, and follow each other. */
function pictureOf(address: string): ReturnType<typeof qrCode> {
  if (drawn?.address !== address) drawn = { address, picture: qrCode(address) }
  return drawn.picture
}

let drawn: { address: string; picture: ReturnType<typeof qrCode> } | undefined

export const day = (date: string | null | undefined): string => displayDate(date) ?? ''

/** Crockford's alphabet: characters that are easy to read out and type, without I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `edition` counts the versions of a sold policy; the sale's is 1. */
type Checked = { id: string; number: string; edition: number }

/**
 * Returns the check code that a document has beside its number. It is a hash of the policy's id, which has 74 random bits and is on no document. So the
 * number alone does not lead to the code, and nothing has to be stored. Each edition has its own code, by which an outdated certificate is recognised.
 * The first keeps the code from before there were editions.
 */
export function checkCode({ id, number, edition }: Checked): string {
  const checked = edition === 1 ? `${id} ${number}` : `${id} ${number} ${edition}`
  const bytes = createHash('sha256').update(`portolan check ${checked}`).digest()
  const letters = [...bytes.subarray(0, 10)].map(byte => alphabet[byte % 32]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/** Compares a typed code in constant time. Accepts any case, blanks and dashes, and O, I and L for the digits they resemble. */
export function isCheckCode(policy: Checked, typed: string): boolean {
  const normalised = typed
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  const [expected, actual] = [Buffer.from(checkCode(policy).replace('-', '')), Buffer.from(normalised)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
