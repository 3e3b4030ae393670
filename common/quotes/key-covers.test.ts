import { expect, test } from 'vitest'
import { keyCover, keyGroups } from './key-covers.ts'

const having = (...codes: string[]) => ({ coverages: codes.map(code => ({ code, value: `value of ${code}` })) })

test('medical, cancellation and luggage cover are shown if any product has them', () => {
  expect(keyGroups([having('luggage.loss'), having('cancellation.trip'), having('medical.world')])).toEqual([
    'medical',
    'cancellation',
    'luggage',
  ])
  expect(keyGroups([having('medical.world', 'luggage.loss', 'liability.private')])).toEqual(['medical', 'luggage', 'liability'])
  expect(keyGroups([])).toEqual(['medical', 'cancellation', 'luggage'])
})

test('medical expenses are those of the trip’s zone', () => {
  const { coverages } = having('medical.home', 'medical.europe', 'medical.world')
  expect(keyCover('medical', coverages, 'Z1')).toBe('value of medical.home')
  expect(keyCover('medical', coverages, 'Z2')).toBe('value of medical.europe')
  expect(keyCover('medical', coverages, 'Z4')).toBe('value of medical.world')
  expect(keyCover('medical', coverages, undefined)).toBe('value of medical.world')
  expect(keyCover('medical', having('medical.spain-andorra').coverages, 'Z1')).toBe('value of medical.spain-andorra')
})

test('a missing cover differs from one that is unknown', () => {
  expect(keyCover('cancellation', having('medical.world').coverages, 'Z3')).toBeNull()
  expect(keyCover('cancellation', [{ code: null, value: 'something' }], 'Z3')).toBeUndefined()
  expect(keyCover('cancellation', having('cancellation.excess').coverages, 'Z3')).toBeNull()
})
