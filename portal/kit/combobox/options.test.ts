import { expect, test } from 'vitest'
import { folded } from './folded.ts'
import { matching, exactMatch, search } from './options.ts'

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
const labelsFor = (query: string) => matching(options, query).map(({ label }) => label)

test('a search ignores accents, case and apostrophes', () => {
  expect(folded(' CÔTE D’IVOIRE ')).toBe('cote divoire')
  expect(folded("Œuvre L'Aigle Straße")).toBe('oeuvre laigle strasse')
  expect(labelsFor('sao tome')).toEqual(['São Tomé and Príncipe'])
  expect(labelsFor('cote d')).toEqual(['Côte d’Ivoire'])
  expect(labelsFor('ÅLAND')).toEqual(['Åland Islands'])
})

test('a search finds an option by its other names, which are not shown', () => {
  const unitedStates = { value: 840, label: 'Estados Unidos', detail: 'US', also: 'usa eeuu ee.uu' }
  for (const query of ['USA', 'eeuu', 'EE.UU.', 'us', 'unidos estados']) expect(matching([unitedStates], query)).toEqual([unitedStates])
  expect(matching([unitedStates], 'uk')).toEqual([])
})

test('options that begin with the query come first, then those with such a word', () => {
  expect(labelsFor('guinea')).toEqual(['Guinea-Bissau', 'New Guinea'])
  expect(labelsFor('bissau')).toEqual(['Guinea-Bissau'])
  expect(labelsFor('a').at(0)).toBe('Åland Islands')
  expect(labelsFor('a').at(-1)).toBe('New Guinea')
})

test('a search finds words in any order, also in the detail', () => {
  expect(labelsFor('islands aland')).toEqual(['Åland Islands'])
  expect(matching([{ value: 'ES', label: 'España', detail: '+34' }], '34')).toHaveLength(1)
  expect(labelsFor('spain portugal')).toEqual([])
})

test('an empty query returns all options in their order', () => {
  expect(labelsFor('  ')).toEqual(countries)
})

test('a label typed in full matches its option, unless two options share it', () => {
  expect(exactMatch(options, 'são tome and principe')?.value).toBe(1)
  expect(exactMatch(options, 'Spai')).toBeUndefined()
  expect(exactMatch([...options, { value: 9, label: 'spain' }], 'Spain')).toBeUndefined()
  expect(exactMatch(options, '')).toBeUndefined()
})

test('a place finds its option, and a region all of its options, of which none is meant', () => {
  const italy = { value: 'IT', label: 'Italy', places: ['roma', 'rome', 'milan'], regions: ['europe'] }
  const romania = { value: 'RO', label: 'Romania', places: ['bucharest'], regions: ['europe'] }
  const unitedStates = { value: 'US', label: 'United States', places: ['new york', 'san francisco'] }
  const sanMarino = { value: 'SM', label: 'San Marino', regions: ['europe'] }
  const find = (query: string) => {
    const { found, isMeant } = search([italy, romania, sanMarino, unitedStates], query)
    return [...found.map(({ value }) => value), isMeant]
  }
  expect(find('New Yo')).toEqual(['US', true])
  expect(find('Milán')).toEqual(['IT', true])
  expect(find('europe')).toEqual(['IT', 'RO', 'SM', false])
  // The name of a city, and the beginning of a country.
  expect(find('roma')).toEqual(['IT', 'RO', false])
  expect(find('rom')).toEqual(['RO', 'IT', true])
  expect(find('san')).toEqual(['SM', 'US', true])
  // Too short for a place.
  expect(find('ne')).toEqual([false])
})
