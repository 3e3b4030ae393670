import { type Language, locales } from '#common/kit/locales.ts'
import { type Passage, questions } from '#common/products/documents.ts'
import { appliesTo, type Described, placeholder, productInformation, wordsFor } from '#common/products/information.ts'
import type { Catalogue } from '#server/products/catalogue-files.ts'
import type { Fault } from '#server/products/catalogue-shape.ts'

type Said = Pick<Passage, 'for' | 'except'>
type Placed = { file: string; path: string; said: Said[]; text: Passage['text'] }

/** The documents' texts: said of products that there are, with figures that those have, the same in every language, and no question unanswered. */
export function checkDocuments(found: Partial<Catalogue>): Fault[] {
  const placed = placedTexts(found)
  const told = describedProducts(found)
  return [
    ...unknownCodes(found),
    ...placed.flatMap(differingWords),
    ...told.flatMap(each => missingWords(placed, each)),
    ...(found.information ? checkQuestions(found.information) : []),
    ...(found.information ? told.flatMap(unanswered(found.information)) : []),
  ]
}

const informationFile = 'documents/information.json'
const conditionsFile = 'documents/conditions.json'

const placedTexts = ({ information, conditions }: Partial<Catalogue>): Placed[] => [
  ...(information?.questions ?? []).flatMap(({ passages }, index) =>
    passages.map(({ text, ...said }, nth) => ({
      file: informationFile,
      path: `questions[${index}].passages[${nth}]`,
      said: [said],
      text,
    })),
  ),
  ...(conditions?.articles ?? []).flatMap((article, index) =>
    article.passages.map(({ text, ...said }, nth) => ({
      file: conditionsFile,
      path: `articles[${index}].passages[${nth}]`,
      said: [article, said],
      text,
    })),
  ),
]

const describedProducts = ({ products = [], insurer, zones }: Partial<Catalogue>): Described[] =>
  insurer && zones ? products.map(product => ({ product, tariff: product.tariff, insurer, zones })) : []

function unknownCodes({ information, conditions, codes = [] }: Partial<Catalogue>): Fault[] {
  const check = (file: string, path: string, said: Said): Fault[] =>
    (['for', 'except'] as const).flatMap(list =>
      (said[list] ?? [])
        .filter(code => !codes.includes(code))
        .map(code => ({ file, path: `${path}.${list}`, fault: `${code} is no product` })),
    )
  const checkAll = (file: string, path: string, passages: Passage[]): Fault[] =>
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

function differingWords({ file, path, text }: Placed): Fault[] {
  const expected = wordsIn(text.en)
  return (Object.keys(text) as Language[])
    .filter(language => wordsIn(text[language]) !== expected)
    .map(language => ({
      file,
      path: `${path}.text.${language}`,
      fault: `names ${wordsIn(text[language])}; English names ${expected}`,
    }))
}

/** Which figures a product has does not depend on the language. */
const reader = { locale: locales[0], currency: 'EUR' }

function missingWords(placed: Placed[], each: Described): Fault[] {
  const words = wordsFor(each, reader)
  const { code } = each.product
  return placed
    .filter(({ said }) => said.every(those => appliesTo(code, those)))
    .flatMap(({ file, path, text }) =>
      [...text.en.matchAll(placeholder)]
        .filter(([, name = '']) => words[name] === undefined)
        .map(([written]) => ({ file, path: `${path}.text`, fault: `${code} has no ${written}` })),
    )
}

const checkQuestions = (information: Catalogue['information']): Fault[] =>
  questions
    .filter(id => information.questions.filter(question => question.id === id).length !== 1)
    .map(id => ({ file: informationFile, path: 'questions', fault: `expected "${id}" once` }))

const unanswered =
  (information: Catalogue['information']) =>
  (each: Described): Fault[] =>
    productInformation(each, information, reader).sections.flatMap(({ items }, index) =>
      items.length > 0 ? [] : [{ file: informationFile, path: `questions[${index}]`, fault: `has no answer for ${each.product.code}` }],
    )
