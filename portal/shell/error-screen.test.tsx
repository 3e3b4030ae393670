import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'

let browser: Browser
beforeEach(() => {
  browser = openBrowser()
  // A static render reads a store’s first state, in which no language is loaded.
  vi.doMock('#portal/kit/words.tsx', async original => {
    const words = await original<typeof import('#portal/kit/words.tsx')>()
    return { ...words, useWords: () => ({ words: words.wordsNow(), locale: words.localeNow() }) }
  })
})
afterEach(async () => {
  vi.doUnmock('#portal/kit/words.tsx')
  await browser.close()
})

/** Returns the texts of the screen after an error, in English. */
async function textsAfter(error: (portal: Awaited<ReturnType<typeof openPortal>>) => unknown): Promise<string[]> {
  const portal = await openPortal()
  await portal.showLanguage('en-EN')
  return textsOf(<portal.Failed error={error(portal)} reset={() => {}} />)
}

function textsOf(screen: ReactNode, path = '/'): string[] {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory({ initialEntries: [path] }) })
  const html = renderToStaticMarkup(<RouterContextProvider router={router}>{screen}</RouterContextProvider>)
  return [...html.matchAll(/>([^<]+)</g)].map(([, text = '']) => text)
}

async function openPortal() {
  const [screen, words, asking] = await Promise.all([
    import('./error-screen.tsx'),
    import('#portal/kit/words.tsx'),
    import('#portal/kit/ask.ts'),
  ])
  return { ...screen, ...words, ...asking }
}

const refusal = { code: 429, error: 'request.too_many', errorMessage: 'Too many', requestId: '1' } as const

test('a page without permission shows 403 and its message', { tags: ['S2.20', 'S6.3', 'S8.7'] }, async () => {
  expect(await textsAfter(({ Forbidden }) => new Forbidden())).toEqual([
    '403',
    'You do not have access to this page',
    'Error: Insufficient Permissions',
    'Go Back Home',
  ])
})

test('a fatal error shows its status and message', { tags: ['S2.20', 'S8.11'] }, async () => {
  const wrong = 'Oops! Something went wrong.'
  expect(await textsAfter(({ Refused }) => new Refused(refusal))).toEqual(['429', wrong, 'Error: Too many', 'Try again', 'Go Back Home'])
  expect(await textsAfter(() => new Error('a bug'))).toEqual(['500', wrong, 'Error: a bug', 'Try again', 'Go Back Home'])
  expect(await textsAfter(() => undefined)).toEqual(['500', wrong, 'Try again', 'Go Back Home'])
  expect((await textsAfter(({ Unreachable }) => new Unreachable())).slice(0, 2)).toEqual(['503', wrong])
})

test('a page that does not exist shows 404 and its path', { tags: ['S2.14', 'S8.8'] }, async () => {
  const [{ LostPage }, { loadMessages, showLanguage }] = await Promise.all([import('./lost-page.tsx'), import('#portal/kit/words.tsx')])
  await Promise.all([showLanguage('en-EN'), loadMessages('lost')])
  Object.assign(browser.tab.window, { history: { length: 1 } })
  expect(textsOf(<LostPage />, '/nowhere')).toEqual(expect.arrayContaining(['404', 'Error: Page Not Found: /nowhere', 'Go Back Home']))
})
