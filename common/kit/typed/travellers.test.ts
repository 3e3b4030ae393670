import { expect, test } from 'vitest'
import { readTravellers, writeTravellers } from './travellers.ts'

test.each([
  ['34, 36, 8', 3, '34, 36, 8'],
  ['34 36 8', 3, '34 36 8'],
  ['34, ?', 2, '34, ?'],
  ['2', 2, ''],
  ['17', 17, ''],
  ['36', 1, '36'],
  ['8,', 1, '8,'],
  ['45x', 45, ''],
  ['45 ×', 45, ''],
  ['150', 150, ''],
  ['', null, ''],
  ['two', null, 'two'],
])('%j is read as %s travellers with the ages %j', (text, travelers, ages) => {
  expect(readTravellers(text)).toEqual({ travelers, ages })
})

test.each([
  [{ travelers: 3, ages: '34, 36, 8' }, '34, 36, 8'],
  [{ travelers: 3, ages: '34 36' }, '34, 36, ?'],
  [{ travelers: 2, ages: '' }, '2'],
  [{ travelers: 45, ages: '' }, '45x'],
  [{ travelers: 1, ages: '36' }, '36'],
  [{ travelers: 1, ages: '8' }, '8,'],
  [{ travelers: 2, ages: '8, 9' }, '8, 9'],
  [{ travelers: null, ages: '' }, ''],
  [{ travelers: null, ages: 'two' }, 'two'],
])('%j is written as %j, and read back', (travellers, text) => {
  expect(writeTravellers(travellers)).toBe(text)
  expect(readTravellers(text).travelers).toBe(travellers.travelers)
})
