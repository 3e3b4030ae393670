import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { locales } from '#common/kit/locales.ts'
import { login } from '#common/session/calls.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(() => {
  browser = openBrowser(app)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  // A static render takes a store’s first state, in which no language is loaded.
  vi.doMock('#portal/kit/words.tsx', async original => {
    const words = await original<typeof import('#portal/kit/words.tsx')>()
    return { ...words, useWords: () => ({ words: words.wordsNow(), locale: words.localeNow() }) }
  })
})
afterEach(async () => {
  vi.doUnmock('#portal/kit/words.tsx')
  vi.unstubAllGlobals()
  await browser.close()
})

test.each(locales)('the sign-in in %s has its words, and those of the service for a wrong password', async locale => {
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
  const texts = [...html.matchAll(/>([^<]+)</g)].map(([, text]) => text)
  const words = app.world.words(locale)
  const ids = ['session.sign_in.title', 'session.sign_in.email', 'session.sign_in.password', 'session.sign_in.forgot', 'shell.credits']
  expect(texts).toEqual(expect.arrayContaining(ids.map(id => words(id))))
  const refused = ask(login, { email: 'agent@azahar.example', password: 'not this one' })
  await expect(refused).rejects.toThrow(words('refusal.session.bad_credentials'))
})
