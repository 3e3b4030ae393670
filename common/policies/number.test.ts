import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { policyNumber, readPolicyNumber, searchTerm } from './number.ts'

const sequence = fc.nat({ max: 50_000_000 })

describe('policyNumber', () => {
  it('a policy number can be read back in any notation', () =>
    fc.assert(
      fc.property(sequence, at => {
        const number = policyNumber(at)
        expect(number).toMatch(/^\d{7,9}-[A-HJKMNPR-TWXY]$/)
        expect(readPolicyNumber(` ${number.toLowerCase().replace('-', ' ')}`)).toBe(number)
      }),
    ))

  it('a policy number reveals one wrong digit', () =>
    fc.assert(
      fc.property(sequence, fc.nat(6), fc.integer({ min: 1, max: 9 }), (at, where, by) => {
        const number = policyNumber(at)
        const wrong = `${number.slice(0, where)}${(Number(number[where]) + by) % 10}${number.slice(where + 1)}`
        expect(readPolicyNumber(wrong)).toBeUndefined()
      }),
    ))

  it('a policy number reveals two swapped digits', () =>
    fc.assert(
      fc.property(sequence, fc.nat(5), (at, where) => {
        const number = policyNumber(at)
        const [one, other] = [number[where], number[where + 1]]
        fc.pre(one !== other)
        expect(readPolicyNumber(`${number.slice(0, where)}${other}${one}${number.slice(where + 2)}`)).toBeUndefined()
      }),
    ))

  it('a policy number is not found in other texts', () => {
    for (const text of ['', '1', '1000000', 'AAAAAAA-B', '１000000-A', '1000000-AA']) expect(readPolicyNumber(text)).toBeUndefined()
  })

  it('a policy number in any notation becomes the search term', () => {
    expect(['1000000s', '100 0000-S', 'Müßig  1000000S', '1000000-A'].map(searchTerm)).toEqual([
      '1000000-s',
      '1000000-s',
      'mussig 1000000s',
      '1000000-a',
    ])
    expect([' \u202e ', ' '].map(searchTerm)).toEqual(['\u202e', ''])
  })
})
