import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

test('decision 8 names exactly the dependencies, and each is pinned', () => {
  const { dependencies, devDependencies, optionalDependencies }: Record<string, Record<string, string>> = JSON.parse(read('package.json'))
  const versions = { ...dependencies, ...devDependencies, ...optionalDependencies }
  const rows = read('docs/decisions/0008-dependencies.md').matchAll(/^\| ([^|]+?) +\|/gm)
  const named = [...rows].flatMap(([, cell = '']) => cell.replaceAll(/ \(.*?\)/g, '').split(', ')).filter(name => name !== 'package')
  expect(named.filter(name => !/^-+$/.test(name)).toSorted()).toEqual(Object.keys(versions).toSorted())
  for (const [name, version] of Object.entries(versions)) expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+$/)])
})
