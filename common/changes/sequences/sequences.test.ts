import { expect, test } from 'vitest'
import { playSequences } from './testing.ts'

test('money in is money charged after any sequence of deeds, on account and by card', () => {
  // `npm run fault-tests -- --only deed-sequences` plays twenty thousand.
  const seen = playSequences(1, 2000)
  for (const what of [
    'change',
    'undo',
    'cancellation',
    'withdrawal',
    'reinstatement',
    'refused',
    'charge',
    'refund',
    'stopped',
    'done',
    'due',
  ])
    expect(seen[what], `${what} in ${JSON.stringify(seen)}`).toBeGreaterThan(20)
})
