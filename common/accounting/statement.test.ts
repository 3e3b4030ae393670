import { expect, test } from 'vitest'
import { openOf } from './statement.ts'

const due = (account: number) => ({ account, commission: 0 })
const settled = (received: number, returned = 0) => ({ received, returned, commission: 0 })

test.each([
  [due(100), settled(40), 60],
  [due(100), settled(100), 0],
  [due(100), settled(130), 0],
  [due(100), settled(100, 100), 100],
  [due(100), settled(0, 30), 100],
  [due(-100), settled(0, 40), -60],
  [due(-100), settled(100, 100), -100],
  [due(-100), settled(30), -100],
])('%j, paid by %j, leaves %i open', (due, paid, open) => {
  expect(openOf(due, paid).account).toBe(open)
})
