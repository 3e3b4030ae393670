import { expect, test } from 'vitest'
import { qrCode } from '#common/session/qr.ts'
import { checkCode, isCheckCode } from './parts.ts'

const policy = { id: '0190a000-0000-7000-8000-000000000001', number: '1000042-K', edition: 1 }

test('a check code is valid for one policy and one number', () => {
  const code = checkCode(policy)
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  expect(checkCode(policy)).toBe(code)
  expect(isCheckCode(policy, code)).toBe(true)
  expect(isCheckCode({ ...policy, number: '1000043-K' }, code)).toBe(false)
  expect(isCheckCode({ ...policy, id: '0190a000-0000-7000-8000-000000000002' }, code)).toBe(false)
})

test('each edition has a code of its own, and that of the first has never changed', () => {
  const codes = [1, 2, 3].map(edition => checkCode({ ...policy, edition }))
  expect(new Set(codes).size).toBe(3)
  expect(codes[0]).toBe('V445Y-6CKG1')
  expect(isCheckCode({ ...policy, edition: 2 }, codes[0] ?? '')).toBe(false)
})

test('a check code is accepted in any case and with any dash', () => {
  const code = checkCode(policy)
  for (const typed of [
    code.toLowerCase(),
    code.replace('-', ''),
    ` ${code.replace('-', ' – ')} `,
    code.replaceAll('0', 'o').replaceAll('1', 'l'),
  ])
    expect([typed, isCheckCode(policy, typed)]).toEqual([typed, true])
  for (const typed of ['', code.slice(1), `${code}0`, 'AAAAA-AAAAA']) expect([typed, isCheckCode(policy, typed)]).toEqual([typed, false])
})

/** Codes like these were read by two scanners (jsqr 1.4.0, qr 0.7.0), for every length from 1 to 213. */
test.each([
  ['1', 21],
  ['https://portal.example/verify?number=1000042-K&code=V445Y-6CKG1', 33],
  ['a'.repeat(213), 57],
])('the QR code of %s is as large as its text needs', (text, squares) => {
  const svg = qrCode(text) ?? ''
  expect(svg).toContain(`viewBox="0 0 ${squares + 8} ${squares + 8}"`)
  // The rings in the upper corners, behind a margin of four.
  expect(svg).toContain(`d="M4 4h7v1h-7z`)
  expect(svg).toContain(`M${squares - 3} 4h7v1h-7z`)
})

test('a text too long for a QR code gives null', () => expect(qrCode('a'.repeat(214))).toBeNull())
