import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openRush } from './rush.ts'

function rushAt(embedded = false) {
  let now = 0
  const rush = openRush({ embedded }, () => now)
  const after = (ms: number) => {
    now += ms
    return rush
  }
  return { rush, after }
}

test('thirty publications within a second are a rush, and a second without any ends it', () => {
  const { rush, after } = rushAt()
  for (let count = 1; count < 30; count++) after(30).note(1)
  expect(rush.isOn()).toBe(false)
  after(30).note(1)
  expect(rush.isOn()).toBe(true)
  expect(after(129).isOn()).toBe(true)
  expect(after(1).isOn()).toBe(false)
})

test('beside the embedded database, ten are a rush', () => {
  const { rush, after } = rushAt(true)
  for (let count = 1; count < 10; count++) after(100).note(1)
  expect(rush.isOn()).toBe(false)
  after(100).note(1)
  expect(rush.isOn()).toBe(true)
})

test('fewer than thirty a second are never a rush', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 35, max: 2_000 }), { maxLength: 200 }), gaps => {
      const { after } = rushAt()
      for (const gap of gaps) {
        const rush = after(gap)
        rush.note(1)
        expect(rush.isOn()).toBe(false)
      }
    }),
  )
})
