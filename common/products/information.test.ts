import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Locale, locales } from '#common/kit/locales.ts'
import { insurer, product } from './catalogue.ts'
import { conditionsFile, informationFile } from './documents.ts'
import { type Described, policyWording, productInformation } from './information.ts'
import { zones } from './tariff.ts'

const folder = join(import.meta.dirname, '../../catalogue')
const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))
const files = {
  information: z.parse(informationFile, read('documents/information.json')),
  conditions: z.parse(conditionsFile, read('documents/conditions.json')),
}
const common = { insurer: z.parse(insurer, read('insurer.json')), zones: z.parse(zones, read('zones.json')) }
const all: Described[] = readdirSync(join(folder, 'products')).map(name => {
  const parsed = z.parse(product, read(`products/${name}`))
  return { product: parsed, tariff: parsed.tariff, ...common }
})
// Safe: the tests name only codes of the catalogue.
const describedBy = (code: string): Described => all.find(each => each.product.code === code) as Described

const informationOf = (code: string, locale: Locale) =>
  productInformation(describedBy(code), files.information, { locale, currency: 'EUR' })
const conditionsOf = (code: string, locale: Locale) => policyWording(describedBy(code), files, { locale, currency: 'EUR' })
const linesOf = (document: { sections: { items: string[] }[] }): string[] => document.sections.flatMap(({ items }) => items)

describe.each(all.map(({ product: { code } }) => code))('the documents of %s', code => {
  test.each(locales)('the documents are complete in %s', locale => {
    for (const document of [informationOf(code, locale), conditionsOf(code, locale)]) {
      expect(document.sections.filter(({ items }) => items.length === 0)).toEqual([])
      expect(linesOf(document).filter(line => /[{}]|undefined|NaN/.test(line))).toEqual([])
      expect(document.sections.length).toBeGreaterThanOrEqual(9)
    }
    const shape = (of: typeof informationOf) => of(code, locale).sections.map(({ items }) => items.length)
    const inEnglish = (of: typeof informationOf) => of(code, 'en-EN').sections.map(({ items }) => items.length)
    expect(shape(informationOf)).toEqual(inEnglish(informationOf))
    expect(shape(conditionsOf)).toEqual(inEnglish(conditionsOf))
  })
})

describe('the information document', () => {
  test('the information document answers the nine questions of the regulation', () => {
    expect(informationOf('ESS', 'es-ES').sections.map(({ heading }) => heading)).toEqual([
      '¿En qué consiste este tipo de seguro?',
      '¿Qué se asegura?',
      '¿Qué no está asegurado?',
      '¿Existen restricciones en lo que respecta a la cobertura?',
      '¿Dónde estoy cubierto?',
      '¿Cuáles son mis obligaciones?',
      '¿Cuándo y cómo tengo que efectuar los pagos?',
      '¿Cuándo comienza y finaliza la cobertura?',
      '¿Cómo puedo rescindir el contrato?',
    ])
  })

  test.each([
    ['ESS', 'Through the travel agency, until the day before departure. The price is refunded in full.'],
    [
      'STU',
      'Through the travel agency: in full until the day before the start; after it, the price of the unused days, as long as no claim has been made.',
    ],
    [
      'ANN',
      'Through the travel agency: in full until the day before the start; after it, half the price of the unused days, as long as no claim has been made.',
    ],
  ])('the information document states the refund of %s by its terms', (code, sentence) => {
    expect(informationOf(code, 'en-EN').sections.at(-1)?.items).toEqual([sentence])
  })

  test('a limit within a cover is printed beside that cover', () => {
    expect(linesOf(informationOf('ESS', 'en-EN'))).toContain('Luggage loss, theft, damage: €1,000 (per item: €350)')
    expect(linesOf(informationOf('ESS', 'fr-FR'))).toContain(
      'Perte, vol ou détérioration des bagages\u00a0: 1\u202f000\u00a0€ (par objet\u00a0: 350\u00a0€)',
    )
  })

  test('an excess is listed as a restriction, not as a cover', () => {
    const [, insured, , restrictions] = informationOf('CAN', 'it-IT').sections
    expect(insured?.items.join()).not.toContain('Scoperto')
    expect(restrictions?.items[0]).toBe('Scoperto: 10%, min. 50\u00a0€')
  })

  test('the product’s figures are printed in the language’s format', () => {
    expect(linesOf(informationOf('SNO', 'fr-FR'))).toContain('Tous les jours du voyage sont compris entre le 1er novembre et le 31 mai.')
    expect(linesOf(informationOf('TOT', 'pt-PT')).join()).toContain('no máximo de 10\u00a0000\u00a0€ por pessoa')
    expect(linesOf(informationOf('STU', 'en-EN')).join()).toContain('from 28 to 365 days in a row')
    expect(linesOf(informationOf('ESS', 'it-IT')).join()).toContain('Afghanistan, Bielorussia, Corea del Nord')
  })

  test('the information document contains only statements true of the product', () => {
    expect(linesOf(informationOf('HOM', 'en-EN'))).toContain('In the country of origin stated in the policy only.')
    expect(linesOf(informationOf('HOM', 'en-EN')).join()).not.toContain('Afghanistan')
    expect(linesOf(informationOf('CAN', 'en-EN')).join()).not.toContain('+34 900 000 000')
  })
})

describe('the policy wording', () => {
  test.each([
    ['TOT', 32],
    ['CAN', 25],
    ['ANN', 17],
  ])('the policy wording lists as many causes of cancellation as %s promises: %i', (code, causes) => {
    expect(conditionsOf(code, 'en-EN').sections.find(({ heading }) => heading === 'Insured reasons for cancellation')?.items).toHaveLength(
      causes,
    )
    expect(JSON.stringify(describedBy(code).product.coverages)).toContain(`${causes} insured reasons`)
  })

  test('the policy wording omits the articles of other products', () => {
    const headings = conditionsOf('ESS', 'en-EN').sections.map(({ heading }) => heading)
    expect(headings).not.toContain('Insured reasons for cancellation')
    expect(conditionsOf('CAN', 'en-EN').sections.map(({ heading }) => heading)).not.toContain('Assistance')
  })

  test('the policy wording agrees with the information document where both answer', () => {
    const [, insured] = informationOf('TOT', 'es-ES').sections
    const covers = conditionsOf('TOT', 'es-ES').sections.find(({ heading }) => heading === 'Coberturas y límites')
    expect(covers?.items.slice(0, insured?.items.length)).toEqual(insured?.items)
  })
})
