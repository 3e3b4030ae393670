import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { codeEndings, trackedFiles } from './counts/sources.ts'

const root = join(import.meta.dirname, '..')
const pages = globSync(['*.md', 'docs/**/*.md', 'catalogue/*.md', 'deploy/*.md'], { cwd: root })
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

test('every file and folder that the map names exists', () => {
  const named = [...textOf('docs/map.md').matchAll(/`([\w.-]+(?:\/[\w.-]+)*)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(path => path !== 'public.ts' && !existsSync(join(root, path)))).toEqual([])
})

test('every relative link of the documentation points to a file', () => {
  const links = pages.flatMap(page =>
    [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => ({ page, target })),
  )
  expect(links.length).toBeGreaterThan(20)
  const broken = links.filter(({ page, target }) => !existsSync(join(root, dirname(page), target)))
  expect(broken).toEqual([])
})

test('every link to a section of the documentation points to a heading', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-')
  const headingsOf = (page: string) => [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading))
  const links = pages.flatMap(page =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*\.md|)#([^)]+)\)/g)].map(([, target = '', section = '']) => ({
      page,
      target,
      section,
    })),
  )
  expect(links.length).toBeGreaterThan(2)
  const broken = links.filter(({ page, target, section }) => !headingsOf(target ? join(dirname(page), target) : page).includes(section))
  expect(broken).toEqual([])
})

test('every page that code cites is in the repository', () => {
  const cited = trackedFiles(codeEndings).flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w./-])(?:[\w-]+\/)*[\w-]+\.md\b/g)].map(([page]) => ({ path, page })),
  )
  expect(cited.length).toBeGreaterThan(40)
  expect(cited.filter(({ page }) => !existsSync(join(root, page)))).toEqual([])
})

test('the index of the documentation links to every page', () => {
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
