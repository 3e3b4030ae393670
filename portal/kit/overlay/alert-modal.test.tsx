import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'

let browser: Browser
beforeEach(() => {
  browser = openBrowser()
  // A static render reads a store’s first state, which has no language and no alert.
  vi.doMock('#portal/kit/words.tsx', async original => {
    const words = await original<typeof import('#portal/kit/words.tsx')>()
    return { ...words, useWords: () => ({ words: words.wordsNow(), locale: words.localeNow() }) }
  })
  vi.doMock('./notices.ts', async original => {
    const notices = await original<typeof import('./notices.ts')>()
    return { ...notices, useAlert: Object.assign(() => notices.useAlert.getState(), notices.useAlert) }
  })
})
afterEach(async () => {
  vi.doUnmock('#portal/kit/words.tsx')
  vi.doUnmock('./notices.ts')
  await browser.close()
})

/** Returns the texts of the open alert. */
async function openModal() {
  const [{ AlertModal }, { showAlert }, { loadMessages, showLanguage }] = await Promise.all([
    import('./alert-modal.tsx'),
    import('./notices.ts'),
    import('#portal/kit/words.tsx'),
  ])
  await Promise.all([showLanguage('en-EN'), loadMessages('alert')])
  const texts = () => [...renderToStaticMarkup(<AlertModal />).matchAll(/>([^<]+)</g)].map(([, text]) => text)
  return { showAlert, texts }
}

test.each([
  ['info', ['Please note', 'There is something you should know before you continue.', 'OK']],
  ['warning', ['Warning', 'Check your entries before you continue.', 'OK']],
  ['error', ['That did not work', 'Something went wrong. Try again.', 'OK']],
  ['confirm', ['Are you sure?', 'Confirm that you want to continue.', 'Cancel', 'OK']],
] as const)(
  'an alert without texts has those of the mode %s, and its button says OK',
  { tags: ['S2.21', 'S8.12', 'S9.7'] },
  async (mode, expected) => {
    const { showAlert, texts } = await openModal()
    expect(texts()).toEqual([])
    // Safe: the mode only decides the result type.
    showAlert({ mode: mode as 'info' })
    expect(texts()).toEqual(expected)
  },
)

test('an alert’s own texts replace those of its mode', { tags: 'S8.12' }, async () => {
  const { showAlert, texts } = await openModal()
  void showAlert({ mode: 'confirm', title: 'Delete?', description: 'It is gone then.', buttonTitle: 'Delete' })
  expect(texts()).toEqual(['Delete?', 'It is gone then.', 'Cancel', 'Delete'])
})
