import { languageOf, type Locale } from '#common/kit/locales.ts'
import type { QuestionId } from '#common/products/documents.ts'
import { answered, policyWording } from '#common/products/information.ts'
import type { CatalogueInsurer } from '#common/products/catalogue.ts'
import type { Reader } from '#common/products/cover.ts'
import type { Words } from '#common/kit/words/words.ts'
import type { ProductTexts, Seller } from './facts.ts'
import { placeName } from './parts.ts'
import { type Answer, brandOf, languageAndRegion, type Mark, type PdfDocument } from './document.ts'

export type ProductDocumentKind = 'information' | 'conditions'
export type ProductReader = { locale: Locale; currency: string; seller: Seller }

/** Returns a product's information document (IPID) or conditions, as a unit shows them before a sale. Both are the insurer's, and bear its name. */
export function productDocument(kind: ProductDocumentKind, product: ProductTexts, reader: ProductReader, words: Words): PdfDocument {
  const { described, information, conditions } = product
  const { insurer } = described
  const isInformation = kind === 'information'
  const { title, version: edition } = isInformation ? information : conditions
  const language = languageOf(reader.locale)
  const name = described.product.name[language]
  const of = { product: name, insurer: insurer.legalName }
  const version = words('documents.version', { version: edition })
  return {
    ...languageAndRegion(reader.locale),
    title: title[language],
    subtitle: name,
    running: [title[language], name, version].join(' · '),
    intro: isInformation
      ? [statusOf(insurer, reader, words), words('documents.summary', of)].join(' ').trim()
      : words('documents.of_product', of),
    footer: `${words('documents.insurer_footer', { insurer: of.insurer, insurerTaxId: insurer.taxId })} ${version}.`,
    brand: brandOf(insurer.brandName, reader.seller.accent, [insurer.emergencyPhone, insurer.supportEmail], ''),
    parts: isInformation ? answersOf(product, reader, inOrder) : [{ kind: 'articles', items: articlesOf(product, reader) }],
    at: beginningOf(edition),
  }
}

const articlesOf = (product: ProductTexts, reader: ProductReader) =>
  policyWording(product.described, product, reader).sections.map((section, index) => ({
    ...section,
    heading: `${index + 1}. ${section.heading}`,
  }))

/** Names the insurer's Member State, register and authorisation, as Implementing Regulation (EU) 2017/1469 places them under the title. */
function statusOf({ legalName, country, register, authorisation }: CatalogueInsurer, { locale }: ProductReader, words: Words): string {
  const facts = [
    legalName,
    country === undefined ? '' : words('documents.status.state', { country: placeName(country, locale) }),
    register ?? '',
    authorisation === undefined ? '' : words('documents.status.authorisation', { authorisation }),
  ].filter(Boolean)
  return facts.length > 1 ? `${facts.join(' · ')}.` : ''
}

/** Rows of columns of questions. */
type Layout = QuestionId[][][]

/** The order of the Annex of Implementing Regulation (EU) 2017/1469: insured beside not insured, then one question after the other. */
const inOrder: Layout = [
  [['type']],
  [['insured'], ['notInsured', 'restrictions']],
  [['where']],
  [['obligations']],
  [['payment']],
  [['period']],
  [['cancel']],
]

/** Lays out answers of the information document, with the icons of article 6. */
export function answersOf({ described, information }: ProductTexts, reader: Reader, layout: Layout): PdfDocument['parts'] {
  const answer = (id: QuestionId): Answer => ({
    ...answered(id, described, information, reader),
    sign: icons[id],
    mark: marks[id] ?? 'dot',
  })
  return layout.map(columns => ({ kind: 'answers', columns: columns.map(ids => ids.map(answer)), together: columns.length === 1 }))
}

const marks: Partial<Record<QuestionId, Mark>> = { insured: 'yes', notInsured: 'no', restrictions: 'limit' }

/** Returns the first day of a version's month: `2026-11.2` is of November 2026. */
const beginningOf = (version: string): Date => new Date(`${version.slice(0, 7)}-01T00:00:00Z`)

/**
 * Draws a white icon on a coloured disc in a 24-pixel square. The colours (green, red, orange, blue) follow Regulation (EU) 2017/1469,
 * article 6.
 */
const icon = (colour: string, strokes: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="12" fill="${colour}"/><g fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${strokes}</g></svg>`

const umbrella = '<path d="M5.5 12.5a6.5 6.5 0 0 1 13 0z"/><path d="M12 5v1M12 12.5v4.3a1.7 1.7 0 0 0 3.4 0"/>'

const icons: Record<QuestionId, string> = {
  type: icon('#1d4f8c', '<path d="M7.5 5.5h6l3 3v10h-9z"/><path d="M10 11.5h4M10 14.5h4"/>'),
  insured: icon('#15803d', umbrella),
  notInsured: icon('#b91c1c', `${umbrella}<path d="M6 18.5 18 5.5"/>`),
  restrictions: icon('#c2570c', '<path d="M12 6v7.5M12 17.4v.1"/>'),
  where: icon('#1d4f8c', '<circle cx="12" cy="12" r="6.5"/><path d="M5.5 12h13M12 5.5c2.4 2 2.4 11 0 13M12 5.5c-2.4 2-2.4 11 0 13"/>'),
  obligations: icon('#15803d', '<path d="m6.5 8.2 1.2 1.2 2-2.2M6.5 14.4l1.2 1.2 2-2.2M12.5 8.5h5M12.5 14.7h5"/>'),
  payment: icon('#b58200', '<path d="M15.6 8.2a4.6 4.6 0 1 0 0 7.6M6.6 10.8h6M6.6 13.2h6"/>'),
  period: icon('#1d4f8c', '<circle cx="12" cy="12" r="6.5"/><path d="M12 8.2V12l2.6 1.8"/>'),
  cancel: icon('#57534e', '<path d="M10 6H6.5v12H10M10.5 12H18M15 9l3 3-3 3"/>'),
}
