import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compare, median } from './compare.ts'
import { trimmedMean } from './sale/variants.ts'
import { byTransaction, countStatements } from '#testing/recorder.ts'
import { pgbenchScript } from './pgbench.ts'

test('a ratio is the median of the rounds, each next to its own baseline', async () => {
  const [ours, baseline] = [
    [10, 30, 20],
    [10, 10, 10],
  ]
  const named = { work: 'w', against: 'a', unit: '/s', target: '≥ 2', met: (ratio: number) => ratio >= 2 }
  const next = (values: number[] | undefined) => () => Promise.resolve(values?.shift() ?? 0)
  const figure = await compare({ ...named, ours: next(ours), baseline: next(baseline) }, 3)
  expect(figure).toMatchObject({ ours: 20, baseline: 10, ratio: { median: 2, least: 1, most: 3 }, met: true })
  expect(median([4, 1, 3, 2])).toBe(2.5)
})

test('a trimmed mean leaves out the smallest and the largest tenth', () => {
  expect(trimmedMean([900, 2, 3, 2, 3, 2, 3, 2, 3, -900])).toBe(2.5)
})

test('a pgbench script repeats the statements with new ids for new rows', () => {
  const id = '019aa000-0000-7000-8000-000000000001'
  const script = pgbenchScript(
    [
      {
        connection: 0,
        text: 'insert into t (id, note, data, at) values ($1, $2, $3, $4)',
        values: [id, `it's ${id}`, `{"id":"${id}"}`, '2026-01-01T10:00:00Z'],
      },
      { connection: 0, text: 'select 1 from t where note is not distinct from $1', values: [null] },
    ],
    [id],
  )
  expect(script.split('\n')).toEqual([
    String.raw`\set n0 random(1, 9000000000000000000)`,
    String.raw`insert into t (id, note, data, at) values ((lpad(to_hex(:n0::bigint), 32, '0'))::uuid, (E'it''s ' || lpad(to_hex(:n0::bigint), 32, '0')), ` +
      String.raw`(E'{"id"\x3a"' || lpad(to_hex(:n0::bigint), 32, '0') || E'"}')::jsonb, E'2026-01-01T10\x3a00\x3a00Z');`,
    'select 1 from t where note is not distinct from null;',
    '',
  ])
})

test('concurrent statements are reordered one transaction after the other', () => {
  const statement = (connection: number, text: string) => ({ connection, text, values: [] })
  const concurrent = [
    statement(0, 'begin'),
    statement(1, 'begin'),
    statement(0, 'a'),
    statement(2, 'alone'),
    statement(1, 'b'),
    statement(0, 'commit'),
    statement(1, 'commit'),
  ]
  expect(byTransaction(concurrent).map(({ text }) => text)).toEqual(['alone', 'begin', 'a', 'commit', 'begin', 'b', 'commit'])
})

test('transaction control is no statement, and a lone statement is a transaction', () => {
  const on = (connection: number, ...texts: string[]) => texts.map(text => ({ connection, text, values: [] }))
  const role = 'set local role portolan_app'
  const unit = `set local portolan.business_unit = 'a'`
  const whole = on(0, `discard plans; begin; ${role}; ${unit}`, 'insert into a values (1)', 'select 1', 'commit')
  expect(countStatements(whole)).toEqual({ statements: 2, commits: 1 })
  expect(countStatements(on(0, `begin; ${role}`, 'select 1', 'rollback', 'select 2'))).toEqual({ statements: 2, commits: 1 })
  expect(countStatements([...on(0, 'begin', 'a'), ...on(1, 'b'), ...on(0, 'commit')])).toEqual({ statements: 2, commits: 2 })
  expect(countStatements(on(0, 'select "ahead" from "business_clock"'))).toEqual({ statements: 0, commits: 0 })
})

test('the minimal SQL of a sale is sixteen writes in two transactions', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, 'sale', file), 'utf8')
  const statements = read('least-sale.sql')
    .replaceAll(/^(?:--|\\).*\n/gm, '')
    .split(/;\n/)
    .filter(Boolean)
  expect(statements.map(text => /^\w+/.exec(text)?.[0]).join(' ')).toBe(
    'begin insert insert insert insert insert insert insert update commit begin update update insert insert insert insert insert update commit',
  )
  const keys = [...read('least-tables.sql').matchAll(/primary key \((\w+)/g)].map(([, first]) => first)
  expect(new Set(keys)).toEqual(new Set(['unit']))
  expect(keys).toHaveLength(11)
})
