import { expect, test } from 'vitest'
import { base32, codeAt, otpauthUri, stepAt, stepOf } from './totp.ts'

// RFC 6238, appendix B, the last six of its eight digits.
const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i s the code of the RFC’s secret is %s', (seconds, code) => expect(codeAt(secret, stepAt(new Date(seconds * 1000)))).toBe(code))

test('a code may be one step off, and no step counts twice', () => {
  const now = new Date('2026-11-20T10:00:00Z')
  const step = stepAt(now)
  for (const offset of [-1, 0, 1]) expect(stepOf(secret, codeAt(secret, step + offset), now, 0)).toBe(step + offset)
  for (const offset of [-5, -2, 2, 5]) expect(stepOf(secret, codeAt(secret, step + offset), now, 0)).toBeUndefined()
  expect(stepOf(secret, codeAt(secret, step), now, step)).toBeUndefined()
  expect(stepOf(secret, codeAt(secret, step - 1), now, step)).toBeUndefined()
  expect(stepOf(secret, '', now, 0)).toBeUndefined()
})

// RFC 4648, section 10.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j is %j', (text, written) => expect(base32(Buffer.from(text))).toBe(written))

test('the otpauth URI carries issuer, account and secret', () => {
  const uri = new URL(otpauthUri(secret, 'lucía+1@azahar.example', 'Portolan'))
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual(['otpauth:', 'totp', '/Portolan:lucía+1@azahar.example'])
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'Portolan',
  })
})
