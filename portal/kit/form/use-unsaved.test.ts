import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'

let browser: Browser
let page: Awaited<ReturnType<typeof openPage>>
beforeEach(async () => {
  browser = openBrowser()
  page = await openPage()
})
afterEach(() => browser.close())

/** Opens a form with unsaved input, in the real router without rendering. */
async function openPage() {
  const [{ wantsToStay }, { closeAlert, useAlert }, { switchLanguage, wordsNow }] = await Promise.all([
    import('./use-unsaved.ts'),
    import('#portal/kit/overlay/notices.ts'),
    import('#portal/kit/words.tsx'),
  ])
  await switchLanguage('en-EN')
  const root = createRootRoute()
  const pages = ['/funnel', '/products', '/policies'].map(path => createRoute({ getParentRoute: () => root, path }))
  const history = createMemoryHistory({ initialEntries: ['/funnel'] })
  const router = createRouter({ routeTree: root.addChildren(pages), history })
  history.subscribe(() => void router.load())
  await router.load()
  /** The answers given to the question, true for staying. */
  const answers: boolean[] = []
  history.block({
    blockerFn: async () => {
      const stays = await wantsToStay(wordsNow())
      answers.push(stays)
      return stays
    },
  })
  return { closeAlert, alert: () => useAlert.getState(), router, words: wordsNow(), answers }
}

const path = () => page.router.state.location.pathname
const asked = () => expect.poll(() => page.alert().isVisible).toBe(true)

test('the user is asked before leaving unsaved input, and stays meanwhile', async () => {
  const leaving = page.router.navigate({ to: '/products' })
  await asked()
  expect(page.alert()).toMatchObject({
    mode: 'confirm',
    title: page.words('panel.unsaved.title'),
    buttonTitle: page.words('panel.unsaved.leave'),
  })
  expect(path()).toBe('/funnel')
  page.closeAlert(true)
  await leaving
})

test('the user who confirms leaves', async () => {
  const leaving = page.router.navigate({ to: '/products' })
  await asked()
  page.closeAlert(true)
  await leaving
  expect(path()).toBe('/products')
})

test('the user who cancels stays, and is asked again the next time', async () => {
  void page.router.navigate({ to: '/products' })
  await asked()
  page.closeAlert(false)
  const again = page.router.navigate({ to: '/policies' })
  await asked()
  expect(path()).toBe('/funnel')
  page.closeAlert(true)
  await again
  expect(path()).toBe('/policies')
})

test('a second navigation replaces the question of the first', async () => {
  void page.router.navigate({ to: '/products' })
  await asked()
  const second = page.router.navigate({ to: '/policies' })
  await expect.poll(() => page.answers).toEqual([true])
  expect(path()).toBe('/funnel')
  page.closeAlert(true)
  await second
  expect(path()).toBe('/policies')
  expect(page.alert().isVisible).toBe(false)
})
