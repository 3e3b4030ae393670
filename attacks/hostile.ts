import type { Field } from './field.ts'

/** Wrong types, bounds, letters and sizes, and the ids of somebody else. */
export function hostileValues({ b, sold, budget }: Field): { what: string; value: unknown }[] {
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
    ['half a letter', '\ud800'],
    ['right to left', '\u202etxet'],
    ['many marks', `z${'\u0301'.repeat(400)}`],
    ['emoji', '👩‍👩‍👧‍👦'.repeat(20)],
    ['long', 'x'.repeat(20_000)],
    ['line ends', 'a\r\nBcc: e@e.example'],
    ['SQL', `'); drop table policies; --`],
    ['markup', '<script>alert(1)</script>'],
    ['a template', '${7*7}{{7*7}}#{7*7}'],
    ['a path', '../../../../etc/passwd'],
    ['an address', 'http://169.254.169.254/'],
    ['no day', '2027-02-30'],
    ['the last day', '9999-12-31'],
    ['no uuid', '00000000-0000-0000-0000-000000000000'],
    ['another version of uuid', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'],
    ['wide digits', '１２３'],
    ['for a slow pattern', `${'a'.repeat(5000)}!@${'a.'.repeat(2000)}`],
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
