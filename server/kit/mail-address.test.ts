import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, isOneAddress, oneLine } from './mail-address.ts'

// Attack case D58: a careless mailer would deliver these to another address.
test.each([
  'a@x.test\r\nBcc: e@e.test',
  'a@x.test\nBcc: e@e.test',
  'a@x.test\n',
  'a@x.test, e@e.test',
  'a@x.test;e@e.test',
  'a@x.test e@e.test',
  'g:e1@e.test,e2@e.test;',
  'Ana <a@x.test>',
  '<a@x.test>',
  '"a b"@x.test',
  '"a@x.test"@e.test',
  'a@x.test(e@e.test)',
  'a@[127.0.0.1]',
  'a@x',
  'a@-x.test',
  'a@@x.test',
  'a@x..test',
  'a@x.test\u0000',
  'á@x.test',
  '',
  ' a@x.test',
  'a@x.test ',
  `${'a'.repeat(65)}@x.test`,
  `a@${'x'.repeat(64)}.test`,
  `a@${'x.'.repeat(130)}test`,
])('%j is not one address', address => {
  expect(isOneAddress(address)).toBe(false)
})

test.each(['a@x.test', "o'hara+travel@mail.agency.example", 'a@xn--bcher-kva.example', 'a@x.xn--p1ai'])('%s is one address', address => {
  expect(isOneAddress(address)).toBe(true)
})

test('a sender may have a name, and has exactly one address', () => {
  expect(addressOf('Portolan <no-reply@portolan.example>')).toBe('no-reply@portolan.example')
  expect(addressOf('no-reply@portolan.example')).toBe('no-reply@portolan.example')
  for (const text of ['Portolan', 'a@x.test, b@x.test', 'A <a@x.test>, B <b@x.test>', 'A\r\nBcc: e@e.test <a@x.test>'])
    expect(addressOf(text)).toBeUndefined()
})

test('any text becomes one well-formed line without hidden characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, most) => {
      const line = oneLine(text, most)
      return line.isWellFormed() && line.length <= most && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(line)
    }),
  )
})

test('a name keeps its letters and loses hidden characters', () => {
  for (const name of ['Íñigo "Pepe" García-Sáez', 'D’Annunzio', 'João', '李小龍', 'Ž 👍']) expect(oneLine(name)).toBe(name)
  expect(oneLine('Ana\r\nBcc: e@e.test')).toBe('Ana Bcc: e@e.test')
  expect(oneLine('\u202eanA\u200b\u2066\u00ad\u061c\u3164\u{e0041}')).toBe('anA')
})
