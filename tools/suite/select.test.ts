import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../processes.ts'
import { filesLoadedBy } from './imports.ts'
import { holds, projects, sameOnServer } from './projects.ts'
import { select } from './select.ts'

const titles: Record<string, string[]> = {
  'common/kit/money.test.ts': ['rounds half up'],
  'server/policies/list/list.test.ts': ['sorts by each field', 'rounds down'],
  'e2e/sale.e2e.ts': [],
  'tools/vectors.test.ts': [],
}
const choose = (...words: string[]) => select(words, Object.keys(titles), file => titles[file] ?? [])

test('words choose the files whose paths contain one of them, in any case', () => {
  expect(choose('Money')).toEqual({ files: ['common/kit/money.test.ts'] })
  expect(choose('policies/list', './e2e/sale')).toEqual({ files: ['server/policies/list/list.test.ts', 'e2e/sale.e2e.ts'] })
})

test('words that are in no path are one part of a title', () => {
  expect(choose('Half', 'up')).toEqual({ files: ['common/kit/money.test.ts'], title: 'Half up' })
  expect(choose('rounds')).toEqual({ files: ['common/kit/money.test.ts', 'server/policies/list/list.test.ts'], title: 'rounds' })
})

test('rows of the specification choose the listed test files, and only tagged tests', () => {
  const holders: Record<string, string[]> = {
    'S2.1': ['e2e/sale.e2e.ts', 'attacks/sign-in.ts › B23'],
    'S2.13': ['common/kit/money.test.ts', 'e2e/sale.e2e.ts'],
    'S2.99': ['attacks/sign-in.ts › B23'],
    'S9.5': ['common/kit/validators/vectors.json › cardSecurityCode'],
  }
  const chooseRows = (...words: string[]) =>
    select(
      words,
      Object.keys(titles),
      file => titles[file] ?? [],
      Object.entries(holders).map(([id, of]) => ({ id, holders: of })),
    )
  expect(chooseRows('s2.1')).toEqual({ files: ['e2e/sale.e2e.ts'], tags: ['S2.1'] })
  expect(chooseRows('S2.1', 'S2.13')).toEqual({ files: ['common/kit/money.test.ts', 'e2e/sale.e2e.ts'], tags: ['S2.1', 'S2.13'] })
  expect(chooseRows('S9.5')).toEqual({ files: ['tools/vectors.test.ts'], tags: ['S9.5'] })
  expect(chooseRows('S2.2')).toEqual({ unknown: ['S2.2'] })
  expect(chooseRows('S2.99')).toEqual({ unknown: ['S2.99'] })
  expect(chooseRows('S2.1', 'money')).toEqual({ unknown: ['S2.1'] })
})

test('words that match nothing are named', () => {
  expect(choose('euro')).toEqual({ unknown: ['euro'] })
  expect(choose('money', 'euro')).toEqual({ unknown: ['euro'] })
})

test('every test file belongs to exactly one project', () => {
  const tracked = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx', '*.e2e.ts'], { cwd: root, encoding: 'utf8' })
  const files = tracked.split('\n').filter(Boolean)
  expect(files.length).toBeGreaterThan(150)
  expect(files.filter(file => projects.filter(project => holds(project, file)).length !== 1)).toEqual([])
})

test('a test excluded on a server exists, and opens no database of that server', () => {
  expect(sameOnServer.filter(pattern => globSync(pattern, { cwd: root }).length === 0)).toEqual([])
  const left = globSync(sameOnServer, { cwd: root })
  const opensTestDatabase = (file: string) =>
    // A database server has no dump of the template.
    !readFileSync(join(root, file), 'utf8').includes('dumpOfTemplate()') && filesLoadedBy(file).has('server/kit/testing.ts')
  expect(left.filter(opensTestDatabase)).toEqual([])
  expect(opensTestDatabase('server/quotes/quotes.test.ts')).toBe(true)
})
