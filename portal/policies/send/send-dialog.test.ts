import { expect, test } from 'vitest'
import { importInPage } from '#portal/kit/testing.ts'

const { addressesIn, addressesProblem } = await importInPage(() => import('./send-dialog.tsx'))

test('addresses are separated by commas, semicolons, spaces or lines', () => {
  expect(addressesIn(' a@x.es, b@x.es;c@x.es\nd@x.es ')).toEqual(['a@x.es', 'b@x.es', 'c@x.es', 'd@x.es'])
})

test('the first bad address is named', () => {
  expect(addressesProblem('a@x.es, b@x, c@')).toEqual({ kind: 'wrong', address: 'b@x' })
  expect(addressesProblem('a@x.es, b@x.es')).toBeUndefined()
})

test('an empty list and more than ten addresses are refused', () => {
  expect(addressesProblem(' , ')).toEqual({ kind: 'none' })
  const addresses = Array.from({ length: 11 }, (_, index) => `a${index}@x.es`)
  expect(addressesProblem(addresses.join(','))).toEqual({ kind: 'many' })
  expect(addressesProblem(addresses.slice(1).join(','))).toBeUndefined()
})
