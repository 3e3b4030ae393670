import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import * as fc from 'fast-check'
import PO from 'pofile'
import { describe, expect, it } from 'vitest'
import { addDays, addYears, displayDate } from '#common/kit/dates.ts'
import { locales } from '#common/kit/locales.ts'
import { anyRecord, anyValue } from '#common/kit/testing.ts'
import { fieldProblems, type RuleName, validators } from './all.ts'
import { cifControl, dniLetter, fiscalCodeLetter, passesLuhn } from './checksums.ts'
import { documentNumberSent, validDocName } from './documents.ts'
import vectors from './vectors.json' with { type: 'json' }

const today = '2026-11-20'
const es = { locale: 'es-ES', today } as const
// Safe: `validators` has no other keys.
const names = Object.keys(validators) as RuleName[]
const locale = fc.constantFrom(...locales)
const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))

describe('every rule', () => {
  const params = anyRecord([
    'limit',
    'min',
    'minAge',
    'currency',
    'birthDate',
    'prefix',
    'brand',
    'number',
    'startDayOffset',
    'maxStartDate',
    'maxEndDate',
  ])
  const likely = fc.constantFrom(...vectors.map(({ value }): unknown => value))

  it.each(names)('%s accepts any input', name =>
    fc.assert(
      fc.property(fc.oneof(anyValue, fc.string({ unit: 'binary' }), likely), params, locale, (value, ruleParams, inLocale) => {
        const problem = validators[name](value, { locale: inLocale, today, params: ruleParams })
        expect(problem === null || problem.key.startsWith('validation.')).toBe(true)
      }),
    ),
  )

  it.each(names)('%s accepts an empty field', name => {
    for (const nothing of [undefined, null, '']) {
      expect(validators[name](nothing, { ...es, params: { limit: 3, min: 3, minAge: 18 } }) === null).toBe(
        !['required', 'requiredPartners'].includes(name),
      )
    }
  })

  it.each(names)('%s has valid and invalid vectors', name => {
    const own = vectors.filter(({ rule }) => rule === name)
    expect([own.some(({ valid }) => valid), own.some(({ valid }) => !valid)]).toEqual([true, true])
  })

  it('no rule has a pattern with catastrophic backtracking', () => {
    const sources = readdirSync(import.meta.dirname).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    const patterns = sources.flatMap(name => patternsOf(readFileSync(join(import.meta.dirname, name), 'utf8')))
    expect(patterns.length).toBeGreaterThan(35)
    for (const pattern of patterns) expect(isWild(pattern), pattern).toBe(false)
    expect(['(a+)+b', '(?:a*b?)*', 'a.*b.*c', '^\\d+\\d+$'].map(isWild)).toEqual([true, true, true, true])
  })

  const patternsOf = (source: string) =>
    source
      .split('\n')
      .flatMap(line =>
        /^import|^\s*(?:\/?\*|\/\/)/.test(line)
          ? []
          : [...line.matchAll(/\/((?:[^/\\\s]|\\.| (?=[?\]-]))+)\/[iug]*/g)].map(([, pattern = '']) => pattern),
      )
  /** Nested or adjacent repetition, which makes a regex engine try combinations. */
  const isWild = (pattern: string) => /[+*][^()]*\)(?:[+*]|\{\d+,\})|\.[+*].*\.[+*]|(\\?\w)[+*]\1[+*]/.test(pattern)
})

describe('the messages', () => {
  const findings = () =>
    vectors
      .filter(({ rule }) => Object.hasOwn(validators, rule))
      .flatMap(({ rule, locale: at, value, params, today: on }) =>
        locales
          .filter(each => at === '*' || at === each)
          // Safe: filtered above.
          .map(each => validators[rule as RuleName](value, { locale: each, today: on ?? today, params: params ?? {} })),
      )
      .filter(problem => problem !== null)

  it.each(locales)('%s has a message for each problem, with all its parameters', { tags: 'S5.7' }, each => {
    const texts = textsOf(each)
    for (const { key, params = {} } of findings()) {
      const text = texts.get(key) ?? ''
      expect(text, key).not.toBe('')
      expect(argumentsOf(text), `${key} in ${each}`).toEqual(Object.keys(params).sort())
    }
  })

  it.each(locales)('%s has the same messages as English, each with the same arguments', each => {
    const shape = (texts: Map<string, string>) => [...texts].map(([key, text]) => [key, argumentsOf(text)])
    expect(shape(textsOf(each))).toEqual(shape(textsOf('en-EN')))
  })

  const textsOf = (each: string) =>
    new Map(
      PO.parse(readFileSync(join(import.meta.dirname, `../../locales/validation/${each}.po`), 'utf8')).items.map(item => [
        item.msgid,
        item.msgstr[0] ?? '',
      ]),
    )
  /** The names in a compiled message, at any depth. */
  const argumentsOf = (text: string): string[] => {
    const names = new Set<string>()
    const walk = (part: unknown): void => {
      if (!Array.isArray(part)) return
      if (typeof part[0] === 'string' && /^[a-zA-Z]+$/.test(part[0])) names.add(part[0])
      for (const inner of part[2] && typeof part[2] === 'object' ? Object.values(part[2]) : [])
        if (Array.isArray(inner)) inner.forEach(walk)
    }
    const compiled: unknown = compileMessage(text)
    if (Array.isArray(compiled)) compiled.forEach(walk)
    return [...names].sort()
  }
})

describe('fieldProblems', () => {
  it('fieldProblems returns the first broken rule at its field', () => {
    expect(fieldProblems('users[0].name', '', ['required', ['minLength', { limit: 2 }]], es)).toEqual([
      { path: 'users[0].name', rule: 'required', key: 'validation.required' },
    ])
    expect(fieldProblems('name', 'a', ['required', ['minLength', { limit: 2 }]], es)).toEqual([
      { path: 'name', rule: 'minLength', key: 'validation.minLength', params: { limit: 2 } },
    ])
    expect(fieldProblems('name', 'ab', ['required', ['minLength', { limit: 2 }]], es)).toEqual([])
  })
})

describe('the parameters of the messages', () => {
  it.each([
    ['min', 'ab', { min: 3 }, 'validation.min', { limit: 3 }],
    ['minLength', 'ab', { limit: 3 }, 'validation.minLength', { limit: 3 }],
    ['maxLength', 'abcd', { limit: 3 }, 'validation.maxLength', { limit: 3 }],
    ['greaterThan', 5, { limit: 10 }, 'validation.greaterThan', { limit: 10, currency: '€' }],
    ['lessThan', 15, { limit: 10, currency: '$' }, 'validation.lessThan', { limit: 10, currency: '$' }],
    ['greaterThan', 'x', { limit: 10 }, 'validation.invalidNumber', undefined],
    ['lessThan', 'x', { limit: 10 }, 'validation.invalidNumber', undefined],
    ['olderThan', '20/11/2010', { minAge: 18 }, 'validation.policyHolder', { minAge: 18 }],
    ['validPhone', '6123x', {}, 'validation.invalidFormat', undefined],
    ['validPhone', '6123', {}, 'validation.invalidPhoneFormat', { country: 'ES' }],
    ['validPhone', '6123', { prefix: '+39' }, 'validation.invalidPhoneFormat', { country: 'IT' }],
    ['validPhone', '6123', { prefix: '+44' }, 'validation.invalidPhoneFormat', { country: 'GB' }],
    ['validPhone', '6123', { prefix: '+1' }, 'validation.invalidPhoneFormat', { country: 'US' }],
    ['validCodPostal', 'x', {}, 'validation.invalidCodPostal', { country: 'ES' }],
    ['requiredPartners', [], {}, 'validation.requiredPartners', undefined],
    ['emailPartners', 'x', {}, 'validation.invalidEmailPartners', undefined],
    ['isCreditCardValid', 'x', {}, 'validation.invalidCreditCard', undefined],
    ['isCrecitCardExpirationValid', 'x', {}, 'validation.invalidCreditCardExpiration', undefined],
    ['birthDateRange', '2027-01-01', {}, 'validation.dateBetween', { from: '01/01/1945', to: '20/11/2026' }],
    ['endDateMax', '2028-01-01', {}, 'validation.dateUntil', { to: '20/11/2027' }],
  ] as const)(
    '%s of %j',
    { tags: ['S5.11', 'S5.12', 'S5.13', 'S5.17', 'S5.18', 'S5.19', 'S5.20', 'S5.21'] },
    (name, value, params, key, expected) =>
      expect(validators[name](value, { ...es, params })).toEqual(expected ? { key, params: expected } : { key }),
  )
})

describe('check letters and digits', () => {
  it('a DNI has one valid letter of 23, in either case', { tags: 'S5.16' }, () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')),
        (number, letter) => {
          const text = `${String(number).padStart(8, '0')}${letter}`
          const problem =
            letter === dniLetter(number) ? null : { key: 'validation.documentLetter', params: { number: text.slice(0, -1), letter } }
          expect(validDocName(text, es)).toEqual(problem)
          expect(validDocName(text.toLowerCase(), es)).toEqual(validDocName(text, es))
        },
      ),
    ),
  )

  it('the Luhn check reveals any single wrong digit', { tags: 'S5.20' }, () =>
    fc.assert(
      fc.property(digits(15), fc.nat(15), fc.integer({ min: 1, max: 9 }), (fifteen, index, shift) => {
        const number =
          Array.from('0123456789')
            .map(last => fifteen + last)
            .find(passesLuhn) ?? ''
        const changed = number.slice(0, index) + ((Number(number[index]) + shift) % 10) + number.slice(index + 1)
        expect([passesLuhn(number), passesLuhn(changed)]).toEqual([true, false])
      }),
    ),
  )

  it('a company’s control character may be a letter or a digit', { tags: 'S5.15' }, () =>
    fc.assert(
      fc.property(digits(7), fc.constantFrom(...Array.from('CDFGJUV')), (seven, form) => {
        const control = cifControl(seven)
        const both = [`${form}${seven}${control}`, `${form}${seven}${'JABCDEFGHI'[control]}`]
        expect(both.map(text => validators.validateTaxId(text, es))).toEqual([null, null])
      }),
    ),
  )

  it('a public body’s control character is a letter, that of others a digit', { tags: 'S5.15' }, () =>
    fc.assert(
      fc.property(digits(7), fc.constantFrom(...Array.from('ABEHNPQRSW')), (seven, form) => {
        const control = cifControl(seven)
        const [digit, letter] = [`${form}${seven}${control}`, `${form}${seven}${'JABCDEFGHI'[control]}`]
        const wrong = 'ABEH'.includes(form) ? letter : digit
        expect([digit, letter].filter(text => validators.validateTaxId(text, es) !== null)).toEqual([wrong])
      }),
    ),
  )

  it('a codice fiscale has one valid letter of 26', { tags: 'S5.16' }, () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]{6}\d{2}[ABCDEHLMPRST](0[1-9]|[1256]\d|4[1-9]|7[01]|3[01])[A-Z]\d{3}$/), fifteen => {
        const right = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ').filter(
          letter => validDocName(fifteen + letter, { ...es, locale: 'it-IT' }) === null,
        )
        expect(right).toEqual([fiscalCodeLetter(fifteen)])
      }),
    ),
  )

  it('check letters and digits are ASCII only', () =>
    fc.assert(
      fc.property(fc.constantFrom(...locales), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 16 }), (at, text) => {
        fc.pre(/[^ -~]/.test(text))
        expect(validDocName(text, { locale: at, today })).not.toBeNull()
        expect(Array.from(documentNumberSent(text)).filter(letter => /[A-Z]/.test(letter)).length).toBe(
          Array.from(text.normalize('NFC')).filter(letter => /[A-Za-z]/.test(letter)).length,
        )
      }),
    ))
})

describe('bounds', () => {
  it('lengths count characters as people do', { tags: 'S5.11' }, () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(20), (text, limit) => {
        const length = Array.from(text.normalize('NFC')).length
        expect(validators.minLength(text, { ...es, params: { limit } }) === null).toBe(length >= limit)
        expect(validators.min(text, { ...es, params: { min: limit } }) === null).toBe(length >= limit)
        expect(validators.maxLength(text, { ...es, params: { limit } }) === null).toBe(length <= limit)
      }),
    ),
  )

  it('olderThan and requiredIfAgeOver14 change on the birthday', { tags: ['S5.12', 'S9.4'] }, () =>
    fc.assert(
      fc.property(fc.integer({ min: -8000, max: 8000 }), fc.integer({ min: 0, max: 99 }), (days, minAge) => {
        const turns = (age: number) => displayDate(addDays(addYears(today, -age), days))
        const old = days <= 0
        expect(validators.olderThan(turns(minAge), { ...es, params: { minAge } }) === null).toBe(old)
        expect(validators.requiredIfAgeOver14('', { ...es, params: { birthDate: turns(14) } }) === null).toBe(!old)
      }),
    ),
  )

  it('start dates follow the product’s settings', { tags: 'S5.5' }, () =>
    fc.assert(
      fc.property(fc.nat(400), fc.nat(30), fc.nat(800), (days, startDayOffset, maxStartDate) => {
        const problem = validators.startDateRange(addDays(today, days), { ...es, params: { startDayOffset, maxStartDate } })
        expect(problem === null).toBe(days >= startDayOffset && days <= maxStartDate)
      }),
    ),
  )
})
