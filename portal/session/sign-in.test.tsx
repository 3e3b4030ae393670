import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { login } from '#common/session/calls.ts'
import { type Browser, openBrowser, renderInLoadedLanguage, textsIn } from '#portal/kit/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

let app: TestApp
let browser: Browser
let endRender: () => void
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(() => {
  browser = openBrowser(app)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  endRender = renderInLoadedLanguage()
})
afterEach(async () => {
  endRender()
  vi.unstubAllGlobals()
  await browser.close()
})

test.each(locales)('the sign-in in %s has its messages, and the service’s for a wrong password', async locale => {
  browser.cookies.set('i18n_redirected', { value: locale, httpOnly: false })
  const [{ loadFirstLanguage }, { routeTree }, { ask }] = await Promise.all([
    import('#portal/kit/words.tsx'),
    import('#portal/routes.tsx'),
    import('#portal/kit/ask.ts'),
  ])
  await loadFirstLanguage()
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/auth/sign-in'] }) })
  await router.load()
  const html = renderToStaticMarkup(<RouterProvider router={router} />)
  const words = app.world.words(locale)
  const ids = [
    'session.sign_in.title',
    'session.sign_in.email',
    'session.sign_in.password',
    'session.sign_in.forgot',
    'shell.credits',
  ] as const
  expect(textsIn(html)).toEqual(expect.arrayContaining(ids.map(id => words(id))))
  const refused = ask(login, { email: 'agent@azahar.example', password: 'not this one' })
  await expect(refused).rejects.toThrow(words('refusal.session.bad_credentials'))
})
