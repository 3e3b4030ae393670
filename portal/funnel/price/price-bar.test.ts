import { expect, test } from 'vitest'
import { importInPage } from '#portal/kit/testing.ts'
import type { Confirmation } from './price-bar.tsx'

const { priceState } = await importInPage(() => import('./price-bar.tsx'))

const differs = { message: 'The confirmed price is €20.00.' }

test.each<[string, { provisional: boolean } | undefined, Confirmation, string | undefined]>([
  ['no price is neither', undefined, undefined, undefined],
  ['a price that is being asked is neither', { provisional: false }, undefined, undefined],
  ['a price that the service has found too is confirmed', { provisional: false }, 'same', 'confirmed'],
  ['a price that unknown ages may change is provisional while it is asked', { provisional: true }, undefined, 'provisional'],
  [
    'a price that unknown ages may change stays provisional when the service has found it too',
    { provisional: true },
    'same',
    'provisional',
  ],
  ['a price that the service finds otherwise is neither', { provisional: false }, differs, undefined],
  ['a provisional price that the service refuses is neither', { provisional: true }, differs, undefined],
])('%s', (_title, price, confirmation, state) => {
  expect(priceState(price, confirmation)).toBe(state)
})
