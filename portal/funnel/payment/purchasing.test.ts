import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { deletePolicy, registerPolicy } from '#common/policies/calls.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { signInAgain, signInTo } from '#portal/session/testing.ts'
import { authenticate, type CardApp, cardApp, payBy } from '#server/policies/testing-cards.ts'
import { openFunnel } from '../testing.ts'
import type { Attempt } from './purchasing.ts'

let app: CardApp
let browser: Browser
let funnel: Awaited<ReturnType<typeof openFunnel>>
let page: Awaited<ReturnType<typeof openPage>>
beforeAll(async () => {
  app = await cardApp()
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
  app.network.clearFaults()
  await funnel.whenWritten()
  await app.world.outbox.drain()
  await browser.close()
})

/** Opens the payment page, with its state and its actions. */
async function openPage() {
  const { openPurchasing } = await import('./purchasing.ts')
  const shown: Attempt = { isLoading: false, failure: undefined, card: undefined }
  return { ...openPurchasing(change => Object.assign(shown, change)), shown }
}

/** Reloads the page, which resumes a stored attempt. */
async function reload(): Promise<void> {
  await funnel.whenWritten()
  await browser.reload()
  const { start, restart } = await import('#portal/shell/start.ts')
  await import('../store.ts')
  restart(true)
  await start('/products', '')
  funnel = await openFunnel()
  page = await openPage()
  await page.resume()
}

const bought = () => funnel.useFunnel.getState().bought
const gatewayOf = (name: string) => funnel.product.paymentGateways.find(gateway => gateway.name === name)?.uuid ?? ''
const request = (gateway: 'Deferred' | 'StripeV2', more = {}) =>
  funnel.registerRequest(funnel.product, { paymentGatewayUUID: gatewayOf(gateway), ...more })

/** Counts the rows of this unit’s sales. */
const counted = async () => {
  const rows = await app.world.database.kysely.selectFrom('policies').select('status').execute()
  return { all: rows.length, sold: rows.filter(({ status }) => status === 'purchased').length }
}

/** Counts the calls of a path. */
const calls = (path: string) => browser.asked.filter(asked => asked === path).length
const register = '/api/policy/register'
const purchase = '/api/policy/purchase'

/** Loses each request of a path, or each response, until `restore` is called. */
function lose(what: 'calls' | 'replies', path: string): () => void {
  browser.connection = async (send, asked) => {
    if (asked !== path) return send()
    if (what === 'replies') await send()
    throw new TypeError('no connection')
  }
  return () => {
    browser.connection = send => send()
  }
}

const secretShown = (): string => {
  if (!page.shown.card) throw new Error('no card is awaited')
  return page.shown.card.clientSecret
}
const intentOf = (secret: string) => secret.split('_secret_')[0] ?? ''

test('a sale on the agency’s account is registered and sold at once', async () => {
  const before = await counted()
  await page.buy(() => request('Deferred'))
  expect(bought()?.done?.policyData).toMatchObject({ status: 'purchased' })
  expect(page.shown).toEqual({ isLoading: false, failure: undefined, card: undefined })
  expect(await counted()).toEqual({ all: before.all + 1, sold: before.sold + 1 })
})

test('a second click while the sale is under way does nothing', async () => {
  const first = page.buy(() => request('Deferred'))
  const { registerKey } = bought() ?? {}
  expect(page.shown.isLoading).toBe(true)
  const second = page.buy(() => request('Deferred'))
  expect(bought()?.registerKey).toBe(registerKey)
  await Promise.all([second, page.resume()])
  await first
  expect(bought()?.registerKey).toBe(registerKey)
  expect([calls(register), calls(purchase)]).toEqual([1, 1])
})

test('a completed sale is not resumed', async () => {
  await page.buy(() => request('Deferred'))
  const before = browser.asked.length
  await page.resume()
  expect(browser.asked).toHaveLength(before)
})

test('a sale by card stores no secret of the card, and is completed once paid', async () => {
  await page.buy(() => request('StripeV2'))
  const secret = secretShown()
  expect(bought()?.done).toBeUndefined()
  expect(JSON.stringify(funnel.useFunnel.getState())).not.toContain(secret)
  expect(await payBy(app, secret)).toBe('succeeded')
  await page.paid(intentOf(secret))
  expect(bought()?.done?.policyData.status).toBe('purchased')
  expect(page.shown).toEqual({ isLoading: false, failure: undefined, card: undefined })
})

test('a payment without an awaited card does nothing', async () => {
  const before = browser.asked.length
  await page.paid('pi_of_nothing')
  expect(browser.asked).toHaveLength(before)
  expect(bought()).toBeUndefined()
})

test('a card that was declined can be followed by another one for the same sale', async () => {
  await page.buy(() => request('StripeV2'))
  const secret = secretShown()
  expect(await payBy(app, secret, 'pm_card_visa_chargeDeclined')).toBe('card_declined')
  expect(secretShown()).toBe(secret)
  await payBy(app, secret)
  await page.paid(intentOf(secret))
  expect(bought()?.done?.policyData.status).toBe('purchased')
  expect(calls(register)).toBe(1)
})

test('a card approved by its holder (3-D Secure) completes the sale', async () => {
  await page.buy(() => request('StripeV2'))
  const secret = secretShown()
  expect(await payBy(app, secret, 'pm_card_authenticationRequiredOnSetup')).toBe('requires_action')
  expect(await authenticate(app, secret, 'approve')).toBe('succeeded')
  await page.paid(intentOf(secret))
  expect(bought()?.done?.policyData.status).toBe('purchased')
})

test('a card not approved by its holder can be followed by another one', async () => {
  await page.buy(() => request('StripeV2'))
  const secret = secretShown()
  await payBy(app, secret, 'pm_card_authenticationRequiredOnSetup')
  expect(await authenticate(app, secret, 'fail')).toBe('requires_payment_method')
  expect(bought()?.done).toBeUndefined()
  expect(await payBy(app, secret)).toBe('succeeded')
  await page.paid(intentOf(secret))
  expect(bought()?.done?.policyData.status).toBe('purchased')
})

test('a payment that is not confirmed ends the attempt, and the next one replaces it', async () => {
  await page.buy(() => request('StripeV2'))
  const { registered } = bought() ?? {}
  const before = await counted()
  await page.paid(intentOf(secretShown()))
  expect(page.shown).toMatchObject({ isLoading: false, card: undefined, failure: { failure: { error: 'payment.not_paid' } } })
  expect(funnel.useFunnel.getState()).toMatchObject({ bought: undefined, policyUuid: registered?.policyUuid })
  await page.buy(() => request('Deferred'))
  expect(page.shown.failure).toBeUndefined()
  expect(await counted()).toEqual({ all: before.all, sold: before.sold + 1 })
})

test('a sale that could not be registered is kept, and resumed with the same key', async () => {
  const before = await counted()
  const restore = lose('calls', register)
  await page.buy(() => request('Deferred'))
  const { registerKey } = bought() ?? {}
  expect(page.shown).toEqual({ isLoading: false, failure: 'funnel.buy.lost', card: undefined })
  expect(bought()?.registered).toBeUndefined()
  restore()
  await page.resume()
  expect(bought()).toMatchObject({ registerKey, done: { policyData: { status: 'purchased' } } })
  expect(await counted()).toEqual({ all: before.all + 1, sold: before.sold + 1 })
})

test('a sale whose response was lost is sold once, whichever response it was', async () => {
  const before = await counted()
  const restore = lose('replies', register)
  await page.buy(() => request('Deferred'))
  expect(page.shown.failure).toBe('funnel.buy.lost')
  restore()
  const restoreAgain = lose('replies', purchase)
  await page.resume()
  expect(page.shown.failure).toBe('funnel.buy.lost')
  expect(bought()).toMatchObject({ registered: expect.any(Object) })
  restoreAgain()
  await page.resume()
  expect(bought()?.done?.policyData.status).toBe('purchased')
  expect(await counted()).toEqual({ all: before.all + 1, sold: before.sold + 1 })
})

test('a sale that got a 503 is retried with the same key, and sold once', async () => {
  const before = await counted()
  const keys: (string | null)[] = []
  const outage = { code: 503, error: 'service.unavailable', errorMessage: 'Back soon', requestId: '' }
  let isDown = true
  browser.connection = async (send, path, { headers }) => {
    if (path === register) keys.push(new Headers(headers).get('idempotency-key'))
    const reply = await send()
    return isDown ? Response.json(outage, { status: 503 }) : reply
  }
  await page.buy(() => request('Deferred'))
  expect(page.shown).toMatchObject({ isLoading: false, failure: { message: 'Back soon', mayChange: true } })
  isDown = false
  await page.resume()
  expect(bought()?.done?.policyData.status).toBe('purchased')
  expect(new Set(keys)).toEqual(new Set([bought()?.registerKey]))
  expect(await counted()).toEqual({ all: before.all + 1, sold: before.sold + 1 })
})

test('a sale is stored before it is sent, and each try has the same key', async () => {
  await funnel.whenWritten()
  const before = browser.localStorage.getItem('portolan.funnel')
  const stored: (string | null)[] = []
  const keys: (string | null)[] = []
  browser.connection = async (send, path, { headers }) => {
    if (path === register) stored.push(browser.localStorage.getItem('portolan.funnel'))
    if (path !== purchase) return send()
    keys.push(new Headers(headers).get('idempotency-key'))
    throw new TypeError('no connection')
  }
  await page.buy(() => request('Deferred'))
  await page.resume()
  expect(stored).toHaveLength(2)
  expect(stored).not.toContain(before)
  expect(new Set(keys)).toEqual(new Set([bought()?.purchaseKey]))
})

test('a sale reloads the lists of policies', async () => {
  const { queries } = await import('#portal/kit/queries.ts')
  queries.setQueryData(['policies', 'a list'], 'before')
  await page.buy(() => request('Deferred'))
  expect(queries.getQueryState(['policies', 'a list'])?.isInvalidated).toBe(true)
})

test('a reload after a lost response leads to the same policy', async () => {
  const before = await counted()
  const restore = lose('replies', purchase)
  await page.buy(() => request('Deferred'))
  restore()
  await reload()
  expect(bought()?.done?.policyData.status).toBe('purchased')
  expect(await counted()).toEqual({ all: before.all + 1, sold: before.sold + 1 })
})

test('a reload while a card is awaited leads to the same payment', async () => {
  await page.buy(() => request('StripeV2'))
  const secret = secretShown()
  const { registered } = bought() ?? {}
  await reload()
  expect(secretShown()).toBe(secret)
  expect(bought()?.registered).toEqual(registered)
  await payBy(app, secret)
  await page.paid(intentOf(secret))
  expect(bought()?.done?.policyData.policyUuid).toBe(registered?.policyUuid)
})

test('an outage of the card network keeps the attempt, which resumes after it', async () => {
  const before = await counted()
  app.network.fault({ fault: 'error', times: 20, method: 'POST', path: '/v1/payment_intents' })
  await page.buy(() => request('StripeV2'))
  const { registerKey } = bought() ?? {}
  expect(page.shown).toMatchObject({ card: undefined, failure: { mayChange: true } })
  app.network.clearFaults()
  await page.resume()
  expect(bought()?.registerKey).toBe(registerKey)
  expect(secretShown()).toMatch(/_secret_/)
  expect((await counted()).all).toBe(before.all + 1)
})

test('an ended session leaves its attempt to the next session', async () => {
  const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  await app.ask('/api/auth/session', { method: 'DELETE', headers: { cookie } })
  await page.buy(() => request('Deferred'))
  expect(page.shown.failure).toMatchObject({ failure: { code: 401 } })
  expect(bought()).toBeDefined()
  await signInAgain('agent@azahar.example')
  await page.resume()
  expect(bought()?.done?.policyData.status).toBe('purchased')
})

test('a changed price ends the attempt and sells nothing', async () => {
  const before = await counted()
  await page.buy(() => request('Deferred', { expectedTotal: 0.5 }))
  expect(page.shown.failure).toMatchObject({ mayChange: false })
  expect(bought()).toBeUndefined()
  expect(await counted()).toEqual(before)
})

test('a sale continues without its saved quote once that was deleted', async () => {
  const { ask } = await import('#portal/kit/ask.ts')
  const { policyUuid } = await ask(registerPolicy, request('Deferred', { saveBudget: true }))
  funnel.useFunnel.setState({ policyUuid })
  await ask(deletePolicy, { policyUuid })
  await page.buy(() => request('Deferred'))
  expect(page.shown.failure).toBe('funnel.buy.budget_gone')
  expect(funnel.useFunnel.getState()).toMatchObject({ bought: undefined, policyUuid: undefined })
  await page.buy(() => request('Deferred'))
  expect(bought()?.done?.policyData.status).toBe('purchased')
})

test('an abandoned card leaves its registered sale to the next purchase', async () => {
  const before = await counted()
  await page.buy(() => request('StripeV2'))
  const { registered } = bought() ?? {}
  page.abandon()
  expect(page.shown).toEqual({ isLoading: false, failure: undefined, card: undefined })
  expect(funnel.useFunnel.getState()).toMatchObject({ bought: undefined, policyUuid: registered?.policyUuid })
  await page.paid('pi_of_the_card_before')
  expect(calls(purchase)).toBe(0)
  await page.buy(() => request('Deferred'))
  expect(await counted()).toEqual({ all: before.all + 1, sold: before.sold + 1 })
})

test.each([register, purchase])('a response to %s after a sign-out is not stored', async path => {
  const { forgetSession } = await import('#portal/session/sign-out.ts')
  const arrived = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  browser.connection = async (send, asked) => {
    const reply = await send()
    if (asked !== path) return reply
    arrived.resolve()
    await held.promise
    return reply
  }
  const buying = page.buy(() => request('Deferred'))
  await arrived.promise
  forgetSession()
  held.resolve()
  await buying
  expect(funnel.useFunnel.getState()).toEqual(funnel.emptyFunnel)
  expect(page.shown.card).toBeUndefined()
})
