import { isRedirect } from '@tanstack/react-router'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, openBrowser } from './kit/testing.ts'

type Page = { options: { path?: string; beforeLoad?: () => unknown }; children?: unknown }

let browser: Browser
let pages: Page[]
beforeAll(async () => {
  browser = openBrowser()
  pages = pagesIn((await import('./routes.tsx')).routeTree)
})
afterAll(() => browser.close())

/** Returns a route and all routes below it. */
function pagesIn(route: unknown): Page[] {
  // Safe: only these fields are read.
  const page = route as Page
  return [page, ...Object.values(page.children ?? {}).flatMap(pagesIn)]
}

test('the portal has the pages of the table of routes, and no path has parameters', { tags: ['S2.1', 'S2.4'] }, async () => {
  const { routes } = await import('#common/shell/routes.ts')
  const paths = pages.flatMap(({ options: { path } }) => (path && path !== '/dev/ui' ? [path] : []))
  expect(paths.toSorted()).toEqual(Object.keys(routes).toSorted())
  expect(paths.filter(path => !/^[\w/-]+$/.test(path))).toEqual([])
})

test('the root page leads to the products', { tags: 'S2.1' }, async () => {
  const root = pages.find(({ options }) => options.path === '/')
  const lead = async () => root?.options.beforeLoad?.()
  const thrown = await lead().catch((error: unknown) => error)
  expect(isRedirect(thrown) && thrown.options).toMatchObject({ to: '/products', replace: true })
})
