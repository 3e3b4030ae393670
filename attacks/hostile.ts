import type { Scenario } from './scenario.ts'

/** Returns values with wrong types, bounds, characters or sizes, and ids of another agency. */
export function hostileValues({ b, sold, budget }: Scenario): { what: string; value: unknown }[] {
  const plain: [string, unknown][] = [
    ['null', null],
    ['true', true],
    ['zero', 0],
    ['negative', -1],
    ['a fraction', 1.5],
    ['beyond whole numbers', 2 ** 53],
    ['huge', 1e308],
    ['a number as text', '1'],
    ['empty text', ''],
    ['blank', ' \t'],
    ['a list', []],
    ['a list of lists', [[[[]]]]],
    ['many', Array.from({ length: 2000 }, () => 'x')],
    ['an object', {}],
    ['a prototype', JSON.parse('{"__proto__":{"x":1},"constructor":1,"toString":1}')],
    ['NUL', 'a\u0000b'],
    ['a lone surrogate', '\ud800'],
    ['right to left', '\u202etxet'],
    ['many combining marks', `z${'\u0301'.repeat(400)}`],
    ['emoji', '👩‍👩‍👧‍👦'.repeat(20)],
    ['long', 'x'.repeat(20_000)],
    ['line breaks', 'a\r\nBcc: e@e.example'],
    ['SQL', `'); drop table policies; --`],
    ['markup', '<script>alert(1)</script>'],
    ['a template', '${7*7}{{7*7}}#{7*7}'],
    ['a path', '../../../../etc/passwd'],
    ['a URL', 'http://169.254.169.254/'],
    ['an invalid date', '2027-02-30'],
    ['the last date', '9999-12-31'],
    ['the nil uuid', '00000000-0000-0000-0000-000000000000'],
    ['another version of uuid', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'],
    ['wide digits', '１２３'],
    ['input for a slow regular expression', `${'a'.repeat(5000)}!@${'a.'.repeat(2000)}`],
  ]
  const foreign: [string, unknown][] = [
    ['foreign policy', sold.b.policyUuid],
    ['foreign budget', budget.b.policyUuid],
    ['foreign purchase', budget.b.purchaseUUID],
    ['foreign unit', b.unitId],
    ['foreign user', b.user.uuid],
  ]
  return [...plain, ...foreign].map(([what, value]) => ({ what, value }))
}
