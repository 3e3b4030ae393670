import { type Language, locales } from '#common/kit/locales.ts'
import { type Passage, questions } from '#common/products/documents.ts'
import { appliesTo, type Audience, type Described, placeholder, productInformation, wordsFor } from '#common/products/information.ts'
import type { Catalogue } from '#server/products/catalogue/files.ts'
import type { CatalogueProblem } from '#server/products/catalogue/shape.ts'

type PlacedText = { file: string; path: string; audience: Audience[]; text: Passage['text'] }

/**
 * Checks the documents' texts: known products, figures that these have, equal placeholders in all languages, and an answer to every
 * question.
 */
export function checkDocuments(found: Partial<Catalogue>): CatalogueProblem[] {
  const placed = placedTexts(found)
  const described = describedProducts(found)
  return [
    ...unknownCodes(found),
    ...placed.flatMap(differingWords),
    ...described.flatMap(each => missingWords(placed, each)),
    ...(found.information ? checkQuestions(found.information) : []),
    ...(found.information ? described.flatMap(unanswered(found.information)) : []),
    ...placed.flatMap(each => otherDays(each, found.afterSale)),
  ]
}

const informationFile = 'documents/information.json'
const conditionsFile = 'documents/conditions.json'

const placedTexts = ({ information, conditions }: Partial<Catalogue>): PlacedText[] => [
  ...(information?.questions ?? []).flatMap(({ passages }, index) =>
    passages.map(({ text, ...audience }, nth) => ({
      file: informationFile,
      path: `questions[${index}].passages[${nth}]`,
      audience: [audience],
      text,
    })),
  ),
  ...(conditions?.articles ?? []).flatMap((article, index) =>
    article.passages.map(({ text, ...audience }, nth) => ({
      file: conditionsFile,
      path: `articles[${index}].passages[${nth}]`,
      audience: [article, audience],
      text,
    })),
  ),
]

const describedProducts = ({ products = [], insurer, zones }: Partial<Catalogue>): Described[] =>
  insurer && zones ? products.map(product => ({ product, tariff: product.tariff, insurer, zones })) : []

function unknownCodes({ information, conditions, codes = [] }: Partial<Catalogue>): CatalogueProblem[] {
  const check = (file: string, path: string, audience: Audience): CatalogueProblem[] =>
    (['for', 'except'] as const).flatMap(list =>
      (audience[list] ?? [])
        .filter(code => !codes.includes(code))
        .map(code => ({ file, path: `${path}.${list}`, problem: `${code} is no product` })),
    )
  const checkAll = (file: string, path: string, passages: Passage[]): CatalogueProblem[] =>
    passages.flatMap((passage, nth) => check(file, `${path}.passages[${nth}]`, passage))
  return [
    ...(information?.questions ?? []).flatMap(({ passages }, index) => checkAll(informationFile, `questions[${index}]`, passages)),
    ...(conditions?.articles ?? []).flatMap((article, index) => [
      ...check(conditionsFile, `articles[${index}]`, article),
      ...checkAll(conditionsFile, `articles[${index}]`, article.passages),
    ]),
  ]
}

const wordsIn = (text: string): string =>
  [...text.matchAll(placeholder)]
    .map(([word]) => word)
    .toSorted()
    .join(' ') || 'nothing'

function differingWords({ file, path, text }: PlacedText): CatalogueProblem[] {
  const expected = wordsIn(text.en)
  // Safe: the schema allows no other names.
  return (Object.keys(text) as Language[])
    .filter(language => wordsIn(text[language]) !== expected)
    .map(language => ({
      file,
      path: `${path}.text.${language}`,
      problem: `names ${wordsIn(text[language])}; English names ${expected}`,
    }))
}

/** The figures of a product are the same in every language. */
const reader = { locale: locales[0], currency: 'EUR' }

function missingWords(placed: PlacedText[], each: Described): CatalogueProblem[] {
  const words = wordsFor(each, reader)
  const { code } = each.product
  return placed
    .filter(({ audience }) => audience.every(those => appliesTo(each.product, those)))
    .flatMap(({ file, path, text }) =>
      [...text.en.matchAll(placeholder)]
        .filter(([, name = '']) => words[name] === undefined)
        .map(([written]) => ({ file, path: `${path}.text`, problem: `${code} has no ${written}` })),
    )
}

/** Finds texts that state other days of a full refund than the rule. */
function otherDays({ file, path, audience, text }: PlacedText, afterSale: Catalogue['afterSale'] | undefined): CatalogueProblem[] {
  if (!afterSale || !audience.some(({ servicing }) => servicing?.before === 'freeLook')) return []
  const days = String(afterSale.constants.freeLookDays)
  return Object.entries(text)
    .filter(([, written]) => !written.match(/\d+/g)?.includes(days))
    .map(([language]) => ({
      file,
      path: `${path}.text.${language}`,
      problem: `does not say ${days} days, the freeLookDays of after-sale.json`,
    }))
}

const checkQuestions = (information: Catalogue['information']): CatalogueProblem[] =>
  questions
    .filter(id => information.questions.filter(question => question.id === id).length !== 1)
    .map(id => ({ file: informationFile, path: 'questions', problem: `expected "${id}" once` }))

const unanswered =
  (information: Catalogue['information']) =>
  (each: Described): CatalogueProblem[] =>
    productInformation(each, information, reader).sections.flatMap(({ items }, index) =>
      items.length > 0 ? [] : [{ file: informationFile, path: `questions[${index}]`, problem: `has no answer for ${each.product.code}` }],
    )
