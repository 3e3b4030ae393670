import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realTestsIn } from './real-tests.ts'

const root = join(import.meta.dirname, '..')
const rows = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !/^\| (Said|---)/.test(line))
const held = (row: string): [file: string, name: string][] =>
  [...row.matchAll(/`([^`]+?) › ([^`]+)`/g)].map(([, file = '', name = '']) => [file, name])

const played = new Map<string, Set<string>>()
function playedIn(path: string): Set<string> {
  const names = played.get(path) ?? realTestsIn(path)
  played.set(path, names)
  return names
}

/** Returns whether the file has a test of exactly that name that really runs. */
function isThere(file: string, name: string): boolean {
  const path = join(root, file)
  return existsSync(path) && playedIn(path).has(name)
}

test('every sentence of the specification names the tests that hold it', () => {
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter(row => held(row).length === 0)).toEqual([])
})

test('every test that is named is there', () => {
  const gone = rows.flatMap(held).filter(([file, name]) => !isThere(file, name))
  expect(gone.map(([file, name]) => `${file} › ${name}`)).toEqual([])
})

test('only what is played counts as a test', () => {
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
