import { languageOf, type Locale } from '#common/kit/locales.ts'
import type { QuestionId } from '#common/products/documents.ts'
import { policyWording, type ProductDocument, productInformation } from '#common/products/information.ts'
import type { Words } from '#common/kit/words/words.ts'
import type { ProductTexts, Seller } from './facts.ts'
import { type Answer, brandOf, languageAndRegion, type Mark, type PdfDocument } from './document.ts'
import { icons } from './icons.ts'

export type ProductDocumentKind = 'information' | 'conditions'
export type ProductReader = { locale: Locale; currency: string; seller: Seller }

/** Returns a product's information document (IPID) or conditions, as a unit shows them before a sale. */
export function productDocument(kind: ProductDocumentKind, product: ProductTexts, reader: ProductReader, words: Words): PdfDocument {
  const { described, information } = product
  const isInformation = kind === 'information'
  const document = isInformation ? productInformation(described, information, reader) : policyWording(described, product, reader)
  const { brandName, accent, contactInfo, logo } = reader.seller
  const name = described.product.name[languageOf(reader.locale)]
  const of = { product: name, insurer: described.insurer.legalName }
  const version = words('documents.version', { version: document.version })
  return {
    ...languageAndRegion(reader.locale),
    title: document.title,
    subtitle: name,
    running: [document.title, name, version].join(' · '),
    intro: isInformation ? words('documents.summary', of) : words('documents.of_product', of),
    footer: `${words('documents.insurer_footer', { insurer: of.insurer, insurerTaxId: described.insurer.taxId })} ${version}.`,
    brand: brandOf(brandName, accent, [contactInfo.phone, contactInfo.email], logo),
    parts: isInformation
      ? answersOf(
          document,
          information.questions.map(({ id }) => id),
        )
      : [
          {
            kind: 'articles',
            items: document.sections.map(({ heading, items }, index) => ({ heading: `${index + 1}. ${heading}`, items })),
          },
        ],
    at: beginningOf(document.version),
  }
}

/** Lays out the answers as Implementing Regulation (EU) 2017/1469 requires: insured beside not insured, with the icons of article 6. */
function answersOf({ sections }: ProductDocument, ids: QuestionId[]): PdfDocument['parts'] {
  const answers = new Map(ids.map((id, index) => [id, answerOf(id, sections[index])]))
  const pick = (...wanted: QuestionId[]): Answer[] => wanted.flatMap(id => answers.get(id) ?? [])
  return [
    { kind: 'answers', columns: [pick('type')], together: true },
    { kind: 'answers', columns: [pick('insured'), pick('notInsured', 'restrictions')], together: false },
    { kind: 'answers', columns: [pick('where'), pick('obligations')], together: true },
    { kind: 'answers', columns: [pick('payment', 'cancel'), pick('period')], together: true },
  ]
}

const answerOf = (id: QuestionId, section: ProductDocument['sections'][number] | undefined): Answer => ({
  heading: section?.heading ?? '',
  items: section?.items ?? [],
  sign: icons[id],
  mark: marks[id] ?? 'dot',
})

const marks: Partial<Record<QuestionId, Mark>> = { insured: 'yes', notInsured: 'no', restrictions: 'limit' }

/** Returns the first day of a version's month: `2026-11.2` is of November 2026. */
const beginningOf = (version: string): Date => new Date(`${version.slice(0, 7)}-01T00:00:00Z`)
