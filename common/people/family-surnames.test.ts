import { expect, test } from 'vitest'
import { familySurnames, type Relative } from './family-surnames.ts'

const person = (surnames: string, age: number | null): Relative => {
  const [middleName = '', lastName = ''] = surnames.split(' ')
  return { middleName, lastName, age }
}
const parents = [person('Ferrando Ibáñez', 44), person('Soler Pastor', 41)]
const children = [person('', 15), person('', 9)]
const offered = (travellers: readonly Relative[], place: number, country = 'ES') => familySurnames(travellers, place, country).join(' ')

test.each([
  ['ES', 'Ferrando Soler'],
  ['PT', 'Ibáñez Pastor'],
  ['FR', 'Ferrando Ibáñez'],
  ['', 'Ferrando Ibáñez'],
])('in %j a child is offered %s', (country, surnames) => {
  expect(offered([...parents, ...children], 2, country)).toBe(surnames)
  expect(offered([...parents, ...children], 3, country)).toBe(surnames)
})

test('a Portuguese parent with one surname passes that on', () => {
  expect(offered([person('Costa -', 44), person('Silva', 41), ...children], 2, 'PT')).toBe('Costa Silva')
})

test('a traveller not known to be fifteen years younger is offered those of the first traveller', () => {
  expect(offered([...parents, ...children], 1)).toBe('Ferrando Ibáñez')
  expect(offered([...parents, person('', 27)], 2)).toBe('Ferrando Ibáñez')
  expect(offered([...parents, person('', 26)], 2)).toBe('Ferrando Soler')
  expect(offered([...parents, person('', null)], 2)).toBe('Ferrando Ibáñez')
  expect(offered([person('Ferrando Ibáñez', null), person('Soler Pastor', 41), person('', 9)], 2)).toBe('Ferrando Ibáñez')
})

test('a child of one parent alone is offered that parent’s, and then those of the first child', () => {
  const [parent] = parents
  if (!parent) throw new Error('no parent')
  expect(offered([parent, ...children], 2)).toBe('Ferrando Ibáñez')
  expect(offered([parent, person('Vidal Ferrando', 15), person('', 9)], 2)).toBe('Vidal Ferrando')
})

test('the first child’s order holds for the others, and for what is missing of their own', () => {
  expect(offered([...parents, person('Soler Ferrando', 15), person('', 9)], 3)).toBe('Soler Ferrando')
  expect(offered([...parents, person('soler', 15), person('', 9)], 3)).toBe('Soler Ferrando')
  expect(offered([...parents, person('soler', 15)], 2)).toBe('Soler Ferrando')
  expect(offered([...parents, person('Soler Ferrando', 15), person('Ferrando Soler', 9), person('', 3)], 4)).toBe('Soler Ferrando')
  expect(offered([...parents, person('Ibáñez Pastor', 15), person('', 9)], 3, 'FR')).toBe('Ibáñez Pastor')
})

test('a child who is not of the family sets no order', () => {
  expect(offered([...parents, person('Roca Mas', 15), person('', 9)], 3)).toBe('Ferrando Soler')
})

test('no surname is offered before a parent has one, and none to the first traveller', () => {
  expect(familySurnames([person('', 44), person('', 41), ...children], 2, 'ES')).toEqual(['', ''])
  expect(familySurnames([...parents, ...children], 0, 'ES')).toEqual(['', ''])
  expect(familySurnames([person('Ferrando Ibáñez', 44), person('', 41), ...children], 2, 'ES')).toEqual(['Ferrando', ''])
})

test('an elder child, a grandparent and a brother of the first traveller are no second parent', () => {
  expect(offered([person('Ferrando Ibáñez', 50), person('Ferrando Soler', 25), person('', 9)], 2)).toBe('Ferrando Soler')
  expect(offered([person('Soler Pastor', 70), person('Gil Mas', 40), person('', 9)], 2)).toBe('Soler Pastor')
  expect(offered([person('Ferrando Ibáñez', 44), person('Ferrando Ibáñez', 41), person('', 9)], 2)).toBe('Ferrando Ibáñez')
})

test('a child with another first surname is offered no second one', () => {
  expect(offered([...parents, person('Roca', 9)], 2)).toBe('Ferrando ')
})
