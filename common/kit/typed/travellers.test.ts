import { expect, test } from 'vitest'
import { readOtherwise, readTravellers, writeTravellers } from './travellers.ts'

test.each([
  ['34, 36, 8', 3, '34, 36, 8'],
  ['34 36 8', 3, '34 36 8'],
  ['34, ?', 2, '34, ?'],
  ['2', 1, '2'],
  ['17', 1, '17'],
  ['18', 1, '18'],
  ['150', 1, '150'],
  ['8,', 1, '8,'],
  ['2x', 2, ''],
  ['45 ×', 45, ''],
  ['3 x 16, 40', 4, '3 x 16, 40'],
  ['', 1, ''],
  ['two', null, 'two'],
])('%j is read as %s travellers with the ages %j', (text, travelers, ages) => {
  expect(readTravellers(text)).toEqual({ travelers, ages })
})

test.each([
  [{ travelers: 3, ages: '34, 36, 8' }, '34, 36, 8'],
  [{ travelers: 3, ages: '34 36' }, '34, 36, ?'],
  [{ travelers: 2, ages: '' }, '2x'],
  [{ travelers: 45, ages: '' }, '45x'],
  [{ travelers: 1, ages: '' }, ''],
  [{ travelers: 1, ages: '36' }, '36'],
  [{ travelers: 1, ages: '8' }, '8'],
  [{ travelers: 2, ages: '8, 9' }, '8, 9'],
  [{ travelers: 40, ages: '40 x 16' }, '40x16'],
  [{ travelers: null, ages: 'two' }, 'two'],
])('%j is written as %j, and read back', (travellers, text) => {
  expect(writeTravellers(travellers)).toBe(text)
  expect(readTravellers(text).travelers).toBe(travellers.travelers)
})

test.each([
  ['17', '17x'],
  [' 17x ', '17'],
  ['17,', undefined],
  ['17, 18', undefined],
  ['', undefined],
])('%j is %j if it is read the other way', (text, other) => expect(readOtherwise(text)).toBe(other))
