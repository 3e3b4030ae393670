import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = globSync(['*.md', 'docs/**/*.md', 'catalogue/*.md', 'deploy/*.md'], { cwd: root })
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

test('every file and folder that the map names exists', () => {
  const named = [...textOf('docs/map.md').matchAll(/`([\w.-]+(?:\/[\w.-]+)*)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(path => path !== 'public.ts' && !existsSync(join(root, path)))).toEqual([])
})

test('every relative link of the documentation leads to a file', () => {
  const links = pages.flatMap(page =>
    [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => ({ page, target })),
  )
  expect(links.length).toBeGreaterThan(20)
  const broken = links.filter(({ page, target }) => !existsSync(join(root, dirname(page), target)))
  expect(broken).toEqual([])
})

test('the index of the documentation leads to every page', () => {
  const index = textOf('docs/README.md')
  const missing = pages.filter(
    page => /^docs\/[\w-]+\.md$/.test(page) && page !== 'docs/README.md' && !index.includes(page.slice('docs/'.length)),
  )
  expect(missing).toEqual([])
})

test('every npm command that the documentation names exists', () => {
  // Safe: npm itself has read it.
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const named = pages.flatMap(page =>
    [...textOf(page).matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name = '']) => ({ page, name })),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([])
})
