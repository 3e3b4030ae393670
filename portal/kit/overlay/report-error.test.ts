import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'

let browser: Browser
beforeEach(() => {
  browser = openBrowser()
})
afterEach(() => browser.close())

async function openPortal() {
  const [report, notices, asking, words] = await Promise.all([
    import('./report-error.ts'),
    import('./notices.ts'),
    import('#portal/kit/ask.ts'),
    import('#portal/kit/words.tsx'),
  ])
  await words.showLanguage('en-EN')
  return { ...report, ...notices, ...asking }
}

test('alert and toast show why an action failed, in the service’s words if refused', { tags: ['S8.1', 'S8.3'] }, async () => {
  const { alertError, toastError, useAlert, useToast, Refused, NotAFile, Unreachable } = await openPortal()
  const errors: [unknown, string][] = [
    [new Refused({ code: 422, error: 'coverage.destination', errorMessage: 'Not covered: Iran.', requestId: '1' }), 'Not covered: Iran.'],
    [new NotAFile(), 'The response is not a valid file.'],
    [new Unreachable(), expect.stringContaining('cannot be reached')],
    [new TypeError('a bug'), 'That did not work. Try again.'],
  ]
  for (const [error, message] of errors) {
    alertError(error)
    expect(useAlert.getState()).toMatchObject({ isVisible: true, mode: 'error', description: message })
    toastError(error)
    expect(useToast.getState()).toMatchObject({ isVisible: true, severity: 'error', summary: message })
  }
})
