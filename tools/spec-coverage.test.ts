import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const rows = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !/^\| (Said|---)/.test(line))
const held = (row: string): [file: string, name: string][] =>
  [...row.matchAll(/`([^`]+?) › ([^`]+)`/g)].map(([, file = '', name = '']) => [file, name])

/** Whether a test of that name stands in that file. */
function isThere(file: string, name: string): boolean {
  const path = join(root, file)
  return existsSync(path) && readFileSync(path, 'utf8').includes(name)
}

test('every sentence of the specification names the tests that hold it', () => {
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter(row => held(row).length === 0)).toEqual([])
})

test('every test that is named is there', () => {
  const gone = rows.flatMap(held).filter(([file, name]) => !isThere(file, name))
  expect(gone.map(([file, name]) => `${file} › ${name}`)).toEqual([])
})
