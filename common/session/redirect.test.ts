import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeRedirect } from './redirect.ts'

const own = 'https://portal.example'
const allowed = ['https://shop.example']

test.each([
  ['/policies', '/policies'],
  ['/funnel?step=2#people', '/funnel?step=2#people'],
  ['https://portal.example/account', 'https://portal.example/account'],
  ['https://shop.example/back?x=1', 'https://shop.example/back?x=1'],
])('%j is a safe target', { tags: 'S2.10' }, (wanted, target) => expect(safeRedirect(wanted, own, allowed)).toBe(target))

// attack case B23
test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'https://evil.example',
  'http://evil.example',
  'HTTPS://EVIL.EXAMPLE',
  'https://portal.example@evil.example',
  'https://portal.example:pw@evil.example/',
  'https://user@portal.example/',
  'https://portal.example.evil.example',
  'https://portal.example:444/',
  'http://portal.example/',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://portal.example/x',
  '/..//evil.example',
  '/.//evil.example',
  '/%2e%2e//evil.example',
  'products',
  '',
  '?x',
  '#x',
  '/auth/callback?token=x',
  '/a/../auth/callback',
  ['/policies'],
  null,
  undefined,
  7,
  {},
  `/${'a'.repeat(2001)}`,
])('%j leads home', { tags: 'S2.10' }, wanted => expect(safeRedirect(wanted, own, allowed)).toBe('/products'))

test('any input leads to the own origin or an allowed one', { tags: 'S2.10' }, () => {
  const pieces = fc.constantFrom(
    '/',
    '\\',
    ':',
    '@',
    '.',
    'https',
    'evil.example',
    'portal.example',
    '?',
    '#',
    '%2f',
    '\t',
    '..',
    'javascript',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.array(pieces).map(parts => parts.join('')),
        fc.array(pieces).map(parts => `/${parts.join('')}`),
      ),
      wanted => {
        const target = safeRedirect(wanted, own, allowed)
        expect([own, ...allowed]).toContain(new URL(target, own).origin)
      },
    ),
    { numRuns: 2000 },
  )
})
