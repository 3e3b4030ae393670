import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { root } from '../processes.ts'
import { holds, projects } from './projects.ts'
import { select } from './select.ts'

const titles: Record<string, string[]> = {
  'common/kit/money.test.ts': ['rounds half up'],
  'server/policies/list/list.test.ts': ['sorts by each field', 'rounds down'],
  'e2e/sale.e2e.ts': [],
}
const choose = (...words: string[]) => select(words, Object.keys(titles), file => titles[file] ?? [])

test('words choose the files whose paths hold one of them, in any case', () => {
  expect(choose('Money')).toEqual({ files: ['common/kit/money.test.ts'] })
  expect(choose('policies/list', './e2e/sale')).toEqual({ files: ['server/policies/list/list.test.ts', 'e2e/sale.e2e.ts'] })
})

test('words that are in no path are one part of a title', () => {
  expect(choose('Half', 'up')).toEqual({ files: ['common/kit/money.test.ts'], title: 'Half up' })
  expect(choose('rounds')).toEqual({ files: ['common/kit/money.test.ts', 'server/policies/list/list.test.ts'], title: 'rounds' })
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
