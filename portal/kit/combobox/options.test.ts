import { expect, test } from 'vitest'
import { folded } from './folded.ts'
import { matching, meantBy } from './options.ts'

const countries = [
  'Spain',
  'São Tomé and Príncipe',
  'Côte d’Ivoire',
  'Åland Islands',
  'South Africa',
  'Portugal',
  'Guinea-Bissau',
  'New Guinea',
]
const options = countries.map((label, value) => ({ value, label }))
const found = (query: string) => matching(options, query).map(({ label }) => label)

test('accents, case and apostrophes make no difference', () => {
  expect(folded(' CÔTE D’IVOIRE ')).toBe('cote divoire')
  expect(folded("Œuvre L'Aigle Straße")).toBe('oeuvre laigle strasse')
  expect(found('sao tome')).toEqual(['São Tomé and Príncipe'])
  expect(found('cote d')).toEqual(['Côte d’Ivoire'])
  expect(found('ÅLAND')).toEqual(['Åland Islands'])
})

test('what people call it besides is searched, and not shown', () => {
  const unitedStates = { value: 840, label: 'Estados Unidos', detail: 'US', also: 'usa eeuu ee.uu' }
  for (const query of ['USA', 'eeuu', 'EE.UU.', 'us', 'unidos estados']) expect(matching([unitedStates], query)).toEqual([unitedStates])
  expect(matching([unitedStates], 'uk')).toEqual([])
})

test('what begins with the query comes first, then words that do, then the rest', () => {
  expect(found('guinea')).toEqual(['Guinea-Bissau', 'New Guinea'])
  expect(found('bissau')).toEqual(['Guinea-Bissau'])
  expect(found('a').at(0)).toBe('Åland Islands')
  expect(found('a').at(-1)).toBe('New Guinea')
})

test('words in any order, also of the detail', () => {
  expect(found('islands aland')).toEqual(['Åland Islands'])
  expect(matching([{ value: 'ES', label: 'España', detail: '+34' }], '34')).toHaveLength(1)
  expect(found('spain portugal')).toEqual([])
})

test('no query leaves all, in their order', () => {
  expect(found('  ')).toEqual(countries)
})

test('a name typed in full is meant, unless there are two of it', () => {
  expect(meantBy(options, 'são tome and principe')?.value).toBe(1)
  expect(meantBy(options, 'Spai')).toBeUndefined()
  expect(meantBy([...options, { value: 9, label: 'spain' }], 'Spain')).toBeUndefined()
  expect(meantBy(options, '')).toBeUndefined()
})
