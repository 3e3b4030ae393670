import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locales } from './locales.ts'
import { currencySign, formatMoney, fromCents, roundedRatio, toCents } from './money.ts'
import { anyValue } from './testing.ts'

describe('toCents', () => {
  it.each([
    [45.5, 4550],
    [0.29, 29],
    [1.005, undefined],
    [0.1 + 0.2, 30],
    [400 + 751.36, 115136],
    [1151.360001, undefined],
    [-1, -100],
    [0.001, undefined],
    [1e308, undefined],
    [1e13, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ['45.5', undefined],
    [null, undefined],
    [[1], undefined],
    [{}, undefined],
    [10n, undefined],
  ])('%s → %s', (amount, cents) => expect(toCents(amount)).toBe(cents))
  it('toCents is inverse to fromCents', () =>
    fc.assert(fc.property(fc.integer({ min: -1e14, max: 1e14 }), cents => toCents(fromCents(cents)) === cents)))
  it('toCents never returns a negative zero', () => expect(Object.is(toCents(-0), 0)).toBe(true))
  it('toCents never throws, and returns whole cents or nothing', () =>
    fc.assert(
      fc.property(anyValue, amount => {
        const cents = toCents(amount)
        expect(cents === undefined || Number.isInteger(cents)).toBe(true)
      }),
      { numRuns: 1000 },
    ))
})

describe('roundedRatio', () => {
  it.each([
    [[1], [2], 1],
    [[-1], [2], 0],
    [[1], [3], 0],
    [[2], [3], 1],
    [[3120, 800, 100], [1_000_000], 250],
    [[1_000_000, 2, 3, 8], [1_000_000, 365], 0],
    [[9_007_199_254_740_991, 9_007_199_254_740_991], [9_007_199_254_740_991], 9_007_199_254_740_991],
    [[1], [-2], 0],
    [[3], [-2], -1],
  ])('%j / %j = %d', (factors, divisors, result) => expect(roundedRatio(factors, divisors)).toBe(result))
  it('roundedRatio is NaN for non-integers and for a division by zero', () => {
    expect(roundedRatio([1.5], [1])).toBeNaN()
    expect(roundedRatio([1], [0])).toBeNaN()
    expect(roundedRatio([Number.MAX_VALUE], [1])).toBeNaN()
  })
  it('roundedRatio rounds by at most a half, for small and large numbers alike', () => {
    const factor = fc.integer({ min: -1e9, max: 1e9 })
    const divisor = fc.integer({ min: -1e6, max: 1e6 }).filter(number => number !== 0)
    fc.assert(
      fc.property(fc.array(factor, { maxLength: 4 }), fc.array(divisor, { maxLength: 3 }), (factors, divisors) => {
        const above = factors.reduce((product, number) => product * BigInt(number), 1n)
        const below = divisors.reduce((product, number) => product * BigInt(number), 1n)
        const got = roundedRatio(factors, divisors)
        fc.pre(Number.isSafeInteger(got))
        const twiceOff = 2n * (BigInt(got) * below - above) * (below < 0n ? -1n : 1n)
        const size = below < 0n ? -below : below
        expect(twiceOff <= size && twiceOff > -size).toBe(true)
      }),
    )
  })
})

describe('formatMoney', () => {
  it('formatMoney follows the language’s format', () => {
    expect(formatMoney(4550, 'es-ES', 'EUR').replace(/\s/g, ' ')).toBe('45,50 €')
    expect(formatMoney(123456, 'en-EN', 'EUR')).toBe('€1,234.56')
    expect(formatMoney(123456, 'es-ES', 'EUR').replace(/\s/g, ' ')).toBe('1.234,56 €')
    expect(formatMoney(-5, 'it-IT', 'EUR').replace(/\s/g, ' ')).toBe('−0,05 €')
  })
  it('formatMoney accepts an unknown currency', () => expect(formatMoney(100, 'fr-FR', 'nope')).toBe('1.00 nope'))
  it('formatMoney accepts any input', () =>
    fc.assert(
      fc.property(anyValue, anyValue, fc.array(anyValue), (cents, currency, factors) => {
        // Safe: wrong types are what the test passes.
        expect(typeof formatMoney(cents as number, 'es-ES', currency as string)).toBe('string')
        // Safe: wrong types are what the test passes.
        expect(typeof roundedRatio(factors as number[], factors as number[])).toBe('number')
      }),
      { numRuns: 1000 },
    ))
})

it('the sign is that of the currency, and € by default, in all languages', { tags: 'S9.6' }, () => {
  for (const locale of locales) expect([currencySign(locale), currencySign(locale, 'GBP')]).toEqual(['€', '£'])
})
