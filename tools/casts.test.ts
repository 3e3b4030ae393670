import { expect, test } from 'vitest'
import { countCasts } from './counts/casts.ts'
import { compare, readRecord } from './counts/record.ts'

test('unexplained casts, `!` and `any` only become fewer', () => {
  const { risen, fallen } = compare(readRecord('casts'), countCasts())
  if (fallen.length > 0) console.info(`npm run counts -- --lower can lower the record of casts:\n${fallen.join('\n')}`)
  expect(risen).toEqual([])
})

test('casts, `!` and `any` are counted; `as const` and explained casts are not', () => {
  const text = [
    'const a = 1 as unknown as string',
    "const b = ['x'] as const",
    'const c = a!',
    'const d = <number>c',
    'const e: any = d',
    '// The server has checked it.',
    'const f = e as string',
    'const g = f satisfies string',
    'const h = g as string // It is one.',
  ].join('\n')
  expect(countCasts([{ path: 'common/some.ts', text }])).toEqual({ common: { as: 3, '!': 1, any: 1 } })
})
