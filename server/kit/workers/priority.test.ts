import { expect, test } from 'vitest'
import { yieldToOthers } from './priority.ts'

function nicenessAfter(before: number, forbidden = false): number {
  let nice = before
  const setPriority = (value: number) => {
    if (forbidden) throw Object.assign(new Error('uv_os_setpriority returned EPERM'), { code: 'ERR_SYSTEM_ERROR' })
    nice = value
  }
  yieldToOthers(5, { getPriority: () => before, setPriority })
  return nice
}

test('a thread’s priority is lowered, and never raised', () => {
  expect(nicenessAfter(0)).toBe(5)
  expect(nicenessAfter(10)).toBe(10)
})

test('a sandbox that forbids a priority does not end the thread', () => {
  expect(nicenessAfter(0, true)).toBe(0)
})
