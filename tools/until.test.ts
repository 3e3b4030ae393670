import { expect, test } from 'vitest'
import { until } from './until.ts'

test('waiting ends when the result is found, at once or later', async () => {
  expect(await until('one', () => 1)).toBe(1)
  let looks = 0
  expect(await until('the third look', () => Promise.resolve(++looks === 3 && 'found'))).toBe('found')
  expect(looks).toBe(3)
})

test('waiting in vain names the missing result', async () => {
  await expect(until('the email', () => undefined, 0)).rejects.toThrow('waited 0 s in vain: the email')
  await expect(until('an answer', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
})
