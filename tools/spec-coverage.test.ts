import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realTestsIn, tagsIn } from './real-tests.ts'
import { specRows } from './suite/spec-rows.ts'

const root = join(import.meta.dirname, '..')

const rows = specRows()

const tags = new Map<string, Set<string>>()
function hasTag(file: string, id: string): boolean {
  const path = join(root, file)
  const known = tags.get(path) ?? (existsSync(path) ? tagsIn(path) : new Set<string>())
  tags.set(path, known)
  return known.has(id)
}

function holds(holder: string, id: string): boolean {
  const [file = '', name] = holder.split(' › ')
  return name === undefined ? hasTag(file, id) : existsSync(join(root, file)) && realTestsIn(join(root, file)).has(name)
}

test('every row of the specification has an id of its own and names its tests', () => {
  expect(rows.length).toBeGreaterThan(100)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect(rows.filter(({ holders }) => holders.length === 0)).toEqual([])
})

test('every file that a row names has a test with the row’s tag that runs', () => {
  const missing = rows.flatMap(({ id, holders }) => holders.filter(holder => !holds(holder, id)).map(holder => `${id}: ${holder}`))
  expect(missing).toEqual([])
})

test('a row names every file that has a test with its tag', () => {
  const files = globSync('{attacks,common,e2e,fakes,portal,server,tools}/**/*.{test,e2e}.{ts,tsx}', { cwd: root })
  const holdersOf = new Map(rows.map(({ id, holders }) => [id, holders]))
  const unnamed = files.flatMap(file =>
    [...tagsIn(join(root, file))].filter(tag => !holdersOf.get(tag)?.includes(file)).map(tag => `${tag}: ${file}`),
  )
  expect(unnamed).toEqual([])
})

test('only tests that run count', () => {
  const namesIn = (source: string) => [...realTestsIn('some.test.ts', source)]
  expect(
    namesIn(`
      test('plain', () => { expect(1).toBe(1) })
      describe('group', () => { it('within', async () => expect(1).toBe(1)) })
      test.each<[number]>([[1]])('each %d', n => expect(n).toBe(1))
      describe.each(['a'])('of %s', () => { test(\`with \${1}\`, () => expect(1).toBe(1)) })
      export const cases: Case[] = [{ id: 'A1', async run() { await attack() } }]`),
  ).toEqual(['plain', 'within', 'each %d', 'with ${1}', 'A1'])
  for (const source of [
    "// test('x', () => expect(1).toBe(1))",
    "/* test('x', () => expect(1).toBe(1)) */",
    "test.skip('x', () => expect(1).toBe(1))",
    "test.todo('x')",
    "test('x')",
    "test('x', () => {})",
    "test.fails('x', () => expect(1).toBe(2))",
    "test.skipIf(true)('x', () => expect(1).toBe(1))",
    "test('x', { skip: true }, () => expect(1).toBe(1))",
    "test('x', context => { context.skip(); expect(1).toBe(1) })",
    "test.each([])('x', () => expect(1).toBe(1))",
    "if (process.env.X) test('x', () => expect(1).toBe(1))",
    "process.env.X && test('x', () => expect(1).toBe(1))",
    "describe.skip('group', () => { test('x', () => expect(1).toBe(1)) })",
    "describe('group', { todo: true }, () => { test('x', () => expect(1).toBe(1)) })",
    'const text = "test(\'x\', () => expect(1).toBe(1))"',
    "const cases = [{ id: 'x', async run() {} }]",
    "const cases = [/* { id: 'x', async run() { await attack() } } */]",
  ])
    expect(namesIn(source), source).toEqual([])
})

test('only the tags of tests that run count', () => {
  const source = `
    test('a', { tags: ['S2.1', 'S2.2'] }, () => expect(1).toBe(1))
    describe('group', () => { it('b', { tags: 'S3.1' }, () => expect(1).toBe(1)) })
    test.skip('c', { tags: 'S4.1' }, () => expect(1).toBe(1))`
  expect([...tagsIn('some.test.ts', source)]).toEqual(['S2.1', 'S2.2', 'S3.1'])
})
