import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { deletePolicy, registerPolicy } from '#common/policies/calls.ts'
import { openFunnel } from '#portal/funnel/testing.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { signInTo } from '#portal/session/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import type { Row } from './list-params.ts'

let app: TestApp
let browser: Browser
let funnel: Awaited<ReturnType<typeof openFunnel>>
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  browser = openBrowser(app)
  await signInTo('agent@azahar.example')
  funnel = await openFunnel()
})
afterEach(async () => {
  await funnel.whenWritten()
  await browser.close()
})

/** Saves two quotes and begins to delete them, up to the confirmation. */
async function beginToDelete() {
  const [{ ask }, { deleteBudgets }, notices, { loadFirstLanguage, loadMessages, wordsNow }] = await Promise.all([
    import('#portal/kit/ask.ts'),
    import('./quote-actions.ts'),
    import('#portal/kit/overlay/notices.ts'),
    import('#portal/kit/words.tsx'),
  ])
  await loadFirstLanguage()
  await loadMessages('policies+panel+validation+day')
  funnel.fill()
  const save = async (buReference: string) => {
    const { policyUuid } = await ask(registerPolicy, funnel.registerRequest(funnel.product, { saveBudget: true, buReference }))
    // Safe: the deletion reads nothing else of a row.
    return { policyUuid, policyTaker: '', buReference, productName: '' } as Row
  }
  const quotes = [await save('one'), await save('two')]
  const deleted = deleteBudgets(quotes, wordsNow())
  return { ask, quotes, deleted, ...notices, run: async () => notices.useAlert.getState().buttonBehavior?.() }
}

test('a successful deletion says so after the confirmation', { tags: 'S4.13' }, async () => {
  const { quotes, deleted, run, closeAlert, useToast } = await beginToDelete()
  expect(useToast.getState().isVisible).toBe(false)
  await run()
  closeAlert(true)
  expect(await deleted).toEqual(quotes)
  expect(useToast.getState()).toMatchObject({ isVisible: true, severity: 'success' })
})

test('a deletion that fails says so, and the other quotes are deleted', { tags: 'S4.13' }, async () => {
  const { quotes, deleted, run, closeAlert, ask } = await beginToDelete()
  browser.connection = async (send, path, init) => {
    const isFirst = path === deletePolicy.path && JSON.stringify(init.body).includes(quotes[0]?.policyUuid ?? '')
    return isFirst ? Response.json({ code: 422, error: 'policy.not_deletable', errorMessage: 'sold' }, { status: 422 }) : send()
  }
  await expect(run()).rejects.toThrow('sold')
  closeAlert(false)
  expect(await deleted).toEqual(quotes.slice(1))
  browser.connection = send => send()
  expect(await ask(deletePolicy, { policyUuid: quotes[0]?.policyUuid ?? '' })).toEqual({ deleted: true })
})
