import { expect, test } from 'vitest'
import { playSequences } from './testing.ts'

test('after any sequence of movements, money in equals money charged', () => {
  // `npm run fault-tests -- --only movement-sequences` plays twenty thousand sequences.
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
