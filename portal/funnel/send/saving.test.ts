import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { deletePolicy, policyDetail, purchasePolicy, registerPolicy, sendCertificates } from '#common/policies/calls.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { signInTo } from '#portal/session/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import type { Attempt } from '../payment/purchasing.ts'
import { openFunnel } from '../testing.ts'

// The sale is saved as a quote in step 3, sent, and then sold as that quote: one policy whatever is lost in between.

let app: TestApp
let browser: Browser
let funnel: Awaited<ReturnType<typeof openFunnel>>
let page: Awaited<ReturnType<typeof openPage>>
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  browser = openBrowser(app)
  await signInTo('agent@azahar.example')
  funnel = await openFunnel()
  funnel.newSale(funnel.product)
  funnel.fill()
  page = await openPage()
})
afterEach(async () => {
  await funnel.whenWritten()
  await app.world.outbox.drain()
  await browser.close()
})

async function openPage() {
  const [{ saveInPlace, settleSaving }, { openPurchasing }, { ask }] = await Promise.all([
    import('./saving.ts'),
    import('../payment/purchasing.ts'),
    import('#portal/kit/ask.ts'),
  ])
  const shown: Attempt = { isLoading: false, failure: undefined, card: undefined }
  return { saveInPlace, settleSaving, ask, shown, ...openPurchasing(change => Object.assign(shown, change)) }
}
/** Reloads the page. */
async function reload(): Promise<void> {
  await funnel.whenWritten()
  await browser.reload()
  const { start, restart } = await import('#portal/shell/start.ts')
  await import('../store.ts')
  restart(true)
  await start('/products', '')
  funnel = await openFunnel()
  page = await openPage()
}

const now = () => funnel.useFunnel.getState()
const onAccount = () => funnel.product.paymentGateways.find(({ name }) => name === 'Deferred')?.uuid ?? ''
const save = () => page.saveInPlace(() => funnel.registerRequest(funnel.product, { saveBudget: true }))
const buy = () => page.buy(() => funnel.registerRequest(funnel.product, { paymentGatewayUUID: onAccount() }))
const send = (policyUuid: string, to: string) => page.ask(sendCertificates, { policyUuid, emails: [to] })
const rows = () => app.world.database.kysely.selectFrom('policies').select(['id', 'status', 'version']).orderBy('id').execute()
/** Returns the policies since `before`. */
const since = async (before: { id: string }[]) => (await rows()).filter(({ id }) => before.every(other => other.id !== id))
const register = '/api/policy/register'

/** Loses each response of a path until `restore` is called. */
function loseReplies(path: string): () => void {
  browser.connection = async (send, asked) => {
    const reply = await send()
    if (asked === path) throw new TypeError('no connection')
    return reply
  }
  return () => {
    browser.connection = send => send()
  }
}

test('a sale that was sent before is sold as the quote that was sent', async () => {
  const before = await rows()
  const policyUuid = await save()
  expect(now()).toMatchObject({ policyUuid, saving: undefined, step: 3, bought: undefined, agreedTotal: expect.any(Number) })
  await send(policyUuid, 'before@example.com')
  await app.world.outbox.drain()
  await buy()
  expect(now().bought?.done?.policyData.policyUuid).toBe(policyUuid)
  expect(await since(before)).toMatchObject([{ id: policyUuid, status: 'purchased' }])
  const { mails, history } = await page.ask(policyDetail, { policyUuid })
  expect(mails.find(({ to }) => to === 'before@example.com')).toMatchObject({
    state: 'sent',
    files: expect.arrayContaining([expect.stringMatching(/IPID/)]),
  })
  expect(history.map(({ what }) => what)).toEqual(['saved', 'sent', 'registered', 'purchased'])
})

test('a sale that is sent twice is saved as one quote', async () => {
  const before = await rows()
  const first = await save()
  expect(await save()).toBe(first)
  expect(await since(before)).toMatchObject([{ id: first, status: 'budgeted', version: 2 }])
})

test('a save whose response was lost is found again by the next try', async () => {
  const before = await rows()
  const restore = loseReplies(register)
  await expect(save()).rejects.toThrow()
  expect(now()).toMatchObject({ saving: { key: expect.any(String) }, policyUuid: undefined })
  restore()
  const policyUuid = await save()
  expect(await since(before)).toMatchObject([{ id: policyUuid, status: 'budgeted' }])
})

test('a save whose response was lost is sold as that quote, even after changes', async () => {
  const before = await rows()
  const restore = loseReplies(register)
  await expect(save()).rejects.toThrow()
  restore()
  await reload()
  funnel.useFunnel.setState(({ people }) => ({ people: people && { ...people, name: 'Berta' } }))
  await buy()
  const [sold, ...others] = await since(before)
  expect([sold?.status, others]).toEqual(['purchased', []])
  expect(now().bought?.done?.policyData).toMatchObject({ policyUuid: sold?.id, policyTaker: expect.stringContaining('Berta') })
})

test('a purchase waits for a save with unknown outcome, and sells nothing beside it', async () => {
  const before = await rows()
  const restore = loseReplies(register)
  await expect(save()).rejects.toThrow()
  await buy()
  expect(page.shown).toMatchObject({ isLoading: false, failure: 'funnel.buy.lost' })
  expect(now()).toMatchObject({ bought: undefined, saving: expect.any(Object) })
  restore()
  await buy()
  expect(await since(before)).toMatchObject([{ status: 'purchased' }])
})

test('a refused save stops neither the next one nor the purchase', async () => {
  const wrong = () =>
    page.saveInPlace(() => funnel.registerRequest(funnel.product, { saveBudget: true, buReference: '4242 4242 4242 4242' }))
  await expect(wrong()).rejects.toThrow()
  expect(now().saving).toBeUndefined()
  await buy()
  expect(now().bought?.done?.policyData.status).toBe('purchased')
})

test('an unfinished save that is refused later does not stop the purchase', async () => {
  browser.connection = () => Promise.reject(new TypeError('no connection'))
  await expect(save()).rejects.toThrow()
  browser.connection = send => send()
  const { saving } = now()
  funnel.useFunnel.setState({ saving: saving && { ...saving, asked: { ...saving.asked, startDate: '2020-01-01' } } })
  await buy()
  expect(now()).toMatchObject({ saving: undefined, bought: { done: { policyData: { status: 'purchased' } } } })
})

test.each(['a new sale', 'a sign-out'])('a save whose response comes after %s belongs to no other sale', async event => {
  const { forgetSession } = await import('#portal/session/sign-out.ts')
  const [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  browser.connection = async (send, asked) => {
    const reply = await send()
    if (asked !== register) return reply
    arrived.resolve()
    await held.promise
    return reply
  }
  const saving = save()
  await arrived.promise
  if (event === 'a sign-out') forgetSession()
  else funnel.newSale(funnel.product)
  held.resolve()
  await saving
  expect(now()).toMatchObject({ policyUuid: undefined, saving: undefined, agreedTotal: undefined })
})

test('a quote that was deleted after it was sent is saved anew', async () => {
  const before = await rows()
  const gone = await save()
  await page.ask(deletePolicy, { policyUuid: gone })
  const policyUuid = await save()
  expect(policyUuid).not.toBe(gone)
  expect((await since(before)).map(({ status }) => status)).toEqual(['deleted', 'budgeted'])
})

test('a sale whose payment failed can be sent again', async () => {
  const before = await rows()
  const policyUuid = await save()
  // Registered for payment, and abandoned.
  const { version } = await page.ask(registerPolicy, funnel.registerRequest(funnel.product, { paymentGatewayUUID: onAccount() }))
  funnel.useFunnel.setState({ policyVersion: version })
  expect(await since(before)).toMatchObject([{ status: 'pending' }])
  await expect(send(policyUuid, 'pending@example.com')).rejects.toThrow()
  await send(await save(), 'pending@example.com')
  expect(await since(before)).toMatchObject([{ id: policyUuid, status: 'budgeted' }])
})

test('a quote sold while it is being sent is sold once, and not emailed later', async () => {
  const before = await rows()
  const { policyUuid, purchaseUUID } = await page.ask(registerPolicy, funnel.registerRequest(funnel.product, { saveBudget: true }))
  const [sent, sold] = await Promise.allSettled([
    send(policyUuid, 'raced@example.com'),
    page.ask(purchasePolicy, { paymentGatewayUUID: onAccount(), purchaseUUID }),
  ])
  expect(sold.status).toBe('fulfilled')
  expect(await since(before)).toMatchObject([{ id: policyUuid, status: 'purchased' }])
  await app.world.outbox.drain()
  const { mails } = await page.ask(policyDetail, { policyUuid })
  const raced = mails.filter(({ to }) => to === 'raced@example.com')
  // The sale came first, or the quote was emailed before it, or the email was dropped.
  if (sent.status === 'rejected') expect([sent.reason.failure.error, raced]).toEqual(['request.conflict', []])
  else expect(raced).toMatchObject([{ state: expect.stringMatching(/sent|withdrawn/) }])
})

test('the quote is saved in the client’s language and place, and sold in them', async () => {
  funnel.useFunnel.setState({ clientLocale: 'fr-FR', channel: 'distance', asksToBegin: true })
  const policyUuid = await save()
  const chosen = { locale: 'fr-FR', trip: { channel: 'distance', askedToBegin: true } }
  expect(await page.ask(policyDetail, { policyUuid })).toMatchObject(chosen)
  await buy()
  expect(await page.ask(policyDetail, { policyUuid })).toMatchObject(chosen)
})

test('a sale at the counter sends no place, as that is the default', async () => {
  const policyUuid = await save()
  const { trip } = await page.ask(policyDetail, { policyUuid })
  expect([trip['channel'] ?? null, trip['askedToBegin'] ?? null]).toEqual([null, null])
})

test('a second tab with the same sale follows the quote, and sells only that', async () => {
  const before = await rows()
  await funnel.whenWritten()
  const tab = browser.anotherTab()
  const there = await tab.run(async () => {
    const [{ start, restart }, { followOtherTabs }] = await Promise.all([import('#portal/shell/start.ts'), import('#portal/kit/stores.ts')])
    await import('../store.ts')
    restart(true)
    await start('/products', '')
    followOtherTabs(() => {})
    return openFunnel()
  })
  const followed = new Promise<void>(resolve => tab.run(() => there.useFunnel.subscribe(() => resolve())))
  const policyUuid = await save()
  await followed
  expect(there.useFunnel.getState()).toMatchObject({ policyUuid, agreedTotal: now().agreedTotal })
  const request = there.registerRequest(there.product, { paymentGatewayUUID: onAccount() })
  const { purchaseUUID } = await page.ask(registerPolicy, request)
  await page.ask(purchasePolicy, { paymentGatewayUUID: onAccount(), purchaseUUID })
  expect(await since(before)).toMatchObject([{ id: policyUuid, status: 'purchased' }])
  await expect(buy()).resolves.toBeUndefined()
  expect(page.shown.failure).toMatchObject({ failure: { error: 'policy.not_replaceable' } })
  expect(await since(before)).toHaveLength(1)
})
