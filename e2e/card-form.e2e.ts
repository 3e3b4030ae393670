import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locale } from '#common/kit/locales.ts'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { problemIn } from '#common/kit/words/words.ts'
import { loadWords } from '#server/kit/words.ts'
import words from '#fakes/card-network/shim/words.json' with { type: 'json' }
import { accessibilityOf, openUserPage, type User } from './browser.ts'
import { expectPage } from './expect-page.ts'
import { sharedBrowser } from './shared-browser.ts'

// The demo's card form in place of Stripe's. The host page uses the server's content security policy and forwards requests as the server does.

let network: CardNetwork
let stripe: Stripe
let host: Server
let origin: string
let browser: Browser
const messages = loadWords()

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"
const pageText = `<!doctype html><html lang="en"><title>Pay</title><main><h1>Pay</h1><div id="card"></div></main><script src="/dev/cards/stripe.js"></script></html>`

beforeAll(async () => {
  network = await startCardNetwork()
  stripe = new Stripe(network.secretKey, { ...network.sdk, telemetry: false })
  host = createServer((request, reply) => {
    const path = request.url ?? ''
    if (!path.startsWith('/dev/cards/')) {
      reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }).end(pageText)
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => void forward(path.slice('/dev/cards'.length), Buffer.concat(chunks)))
    const forward = async (target: string, body: Buffer): Promise<void> => {
      const { method = 'GET', headers } = request
      const response = await fetch(`${network.url}${target}`, {
        method,
        headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
        ...(method === 'POST' ? { body: body.toString() } : {}),
      })
      reply.writeHead(response.status, { 'content-type': response.headers.get('content-type') ?? '' }).end(await response.text())
    }
  })
  await new Promise<void>(resolve => void host.listen(0, '127.0.0.1', resolve))
  // Safe: it listens on a port.
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  browser = await sharedBrowser()
})

afterAll(async () => {
  await new Promise(resolve => host.close(resolve))
  await network.stop()
})

type Result = {
  paymentIntent?: { status: string }
  error?: { type: string; code?: string; message: string; payment_intent?: { status: string } }
}
type Elements = {
  create: (type: string) => {
    mount: (where: string) => void
    on: (name: string, handler: (event: { complete?: boolean }) => void) => void
  }
}
type FormPage = {
  Stripe: (key: string) => {
    elements: (options: object) => Elements
    confirmPayment: (confirming: object) => Promise<Result>
    retrievePaymentIntent: (secret: string) => Promise<Result>
    handleNextAction: (of: { clientSecret: string }) => Promise<Result>
  }
  elements: Elements
  events: string[]
  result: Result | undefined
}

/** The page's window, in the functions that the browser runs. */
declare const window: FormPage

/** Opens the form in a language, for a new payment intent. */
async function openForm(locale: Locale): Promise<{ user: User; id: string; secret: string }> {
  const user = await openUserPage(browser, origin, { width: 800 })
  const { id, client_secret } = await stripe.paymentIntents.create({ amount: 4250, currency: 'eur' })
  const secret = client_secret ?? ''
  await user.page.goto('/')
  await user.page.evaluate(
    ({ key, secret, locale }) => {
      const formPage = window
      formPage.events = []
      formPage.elements = formPage.Stripe(key).elements({ clientSecret: secret, locale })
      const element = formPage.elements.create('payment')
      element.on('ready', () => formPage.events.push('ready'))
      element.on('change', ({ complete }) => formPage.events.push(complete ? 'complete' : 'incomplete'))
      element.mount('#card')
    },
    { key: network.publishableKey, secret, locale },
  )
  return { user, id, secret }
}

async function fill({ page }: User, number: string, expiry = '1239', code = '123'): Promise<void> {
  await page.locator('[autocomplete=cc-number]').fill(number)
  await page.locator('[autocomplete=cc-exp]').pressSequentially(expiry)
  await page.locator('[autocomplete=cc-csc]').fill(code)
}

async function begin({ page }: User, secret: string): Promise<void> {
  await page.evaluate(
    ({ key, secret }) => {
      const formPage = window
      formPage.result = undefined
      const confirming = { elements: formPage.elements, clientSecret: secret, redirect: 'if_required' }
      void formPage
        .Stripe(key)
        .confirmPayment(confirming)
        .then(result => {
          formPage.result = result
        })
    },
    { key: network.publishableKey, secret },
  )
}

async function resultOf({ page }: User): Promise<Result | undefined> {
  await page.waitForFunction(() => window.result !== undefined)
  return page.evaluate(() => window.result)
}

// Safe: the fake has words in every language.
const languageOf = (locale: Locale) => words[locale.slice(0, 2) as keyof typeof words]

test('the card form shows errors first, then accepts a valid card', async () => {
  const locale = 'pt-PT'
  const { user, id, secret } = await openForm(locale)
  const { page } = user
  await page.getByLabel(languageOf(locale).number, { exact: true }).waitFor()
  await begin(user, secret)
  expect((await resultOf(user))?.error).toMatchObject({ type: 'validation_error', message: messages(locale)('validation.required') })
  await fill(user, '4242 4242 4242 4241', '1220', '12')
  await begin(user, secret)
  for (const [key, params] of [
    ['validation.invalidCreditCardExpiration', {}],
    ['validation.cardSecurityCode', { digits: 3 }],
  ] as const)
    await page.getByText(problemIn(messages(locale), { key, params })).waitFor()
  await page.getByText(languageOf(locale).wrong_number).waitFor()
  await page.locator('[autocomplete=cc-number]').fill('42424242424')
  await page.getByText(problemIn(messages(locale), { key: 'validation.invalidCreditCard' })).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.locator('[autocomplete=cc-exp]').fill('')
  await fill(user, '4242424242424242')
  await expectPage(page.locator('[autocomplete=cc-number]')).toHaveValue('4242 4242 4242 4242')
  await begin(user, secret)
  expect(await resultOf(user)).toMatchObject({ paymentIntent: { status: 'succeeded' } })
  expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'succeeded', amount_received: 4250 })
  const events = await page.evaluate(() => window.events)
  expect([events[0], events.at(-1)]).toEqual(['ready', 'complete'])
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a declined card shows why in the form’s language, and another card pays', async () => {
  const { user, secret } = await openForm('fr-FR')
  await fill(user, '4000000000009995')
  await begin(user, secret)
  expect(await resultOf(user)).toMatchObject({
    error: {
      type: 'card_error',
      code: 'card_declined',
      message: words.fr.insufficient_funds,
      payment_intent: { status: 'requires_payment_method' },
    },
  })
  await user.page.locator('[autocomplete=cc-number]').fill('378282246310005')
  await user.page.locator('[autocomplete=cc-csc]').fill('1234')
  await begin(user, secret)
  expect(await resultOf(user)).toMatchObject({ paymentIntent: { status: 'succeeded' } })
  await user.stop()
})

test('3-D Secure leaves the payment open when refused and pays when approved', async () => {
  const { user, secret } = await openForm('es-ES')
  const { page } = user
  await fill(user, '4000002500003155')
  await begin(user, secret)
  await page.getByRole('dialog', { name: words.es.title }).getByText('42,50').waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await resultOf(user)).toMatchObject({
    error: { code: 'payment_intent_authentication_failure', message: words.es.payment_intent_authentication_failure },
  })
  await begin(user, secret)
  await page.getByRole('button', { name: words.es.approve }).click()
  expect(await resultOf(user)).toMatchObject({ paymentIntent: { status: 'succeeded' } })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('the card form shows a network failure and can be submitted again', async () => {
  const { user, secret } = await openForm('pt-PT')
  await fill(user, '5555555555554444')
  network.fault({ fault: 'error', path: '/v1/payment_intents/*/confirm' })
  await begin(user, secret)
  expect(await resultOf(user)).toMatchObject({ error: { type: 'api_error', message: words.pt.unavailable } })
  await begin(user, secret)
  expect(await resultOf(user)).toMatchObject({ paymentIntent: { status: 'succeeded' } })
  await user.stop()
})

test('a payment that waits for 3-D Secure continues after the page was left', async () => {
  const { user, id, secret } = await openForm('it-IT')
  const { page } = user
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_authenticationRequiredOnSetup' })
  const intent = { key: network.publishableKey, secret }
  const found = await page.evaluate(({ key, secret }) => window.Stripe(key).retrievePaymentIntent(secret), intent)
  expect(found).toMatchObject({ paymentIntent: { status: 'requires_action' } })
  await page.evaluate(({ key, secret }) => {
    const formPage = window
    void formPage
      .Stripe(key)
      .handleNextAction({ clientSecret: secret })
      .then(result => {
        formPage.result = result
      })
  }, intent)
  await page.getByRole('dialog').getByRole('button').first().click()
  expect(await resultOf(user)).toMatchObject({ paymentIntent: { status: 'succeeded' } })
  await user.stop()
})

test('without `if_required` the page goes to return_url with the intent in the query', async () => {
  const { user, id, secret } = await openForm('en-EN')
  const { page } = user
  await fill(user, '4242424242424242')
  await page.evaluate(
    ({ key, returnUrl }) => {
      const formPage = window
      void formPage.Stripe(key).confirmPayment({ elements: formPage.elements, confirmParams: { return_url: returnUrl } })
    },
    { key: network.publishableKey, returnUrl: `${origin}/after` },
  )
  await page.waitForURL(/after/)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    payment_intent: id,
    payment_intent_client_secret: secret,
    redirect_status: 'succeeded',
  })
  await user.stop()
})
