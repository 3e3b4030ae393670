import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Locale, locales } from '#common/kit/locales.ts'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { loadWords } from '#server/kit/words.ts'
import words from '#fakes/card-network/shim/words.json' with { type: 'json' }
import { openBrowser } from '#tools/open-browser.ts'
import { accessibilityOf, openUserPage, type User } from './browser.ts'

// The form that the demo shows in place of Stripe's, on a page with the service's policy and its way of passing requests on.

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
    request.on('end', () => void passOn(path.slice('/dev/cards'.length), Buffer.concat(chunks)))
    const passOn = async (place: string, body: Buffer): Promise<void> => {
      const { method = 'GET', headers } = request
      const answer = await fetch(`${network.url}${place}`, {
        method,
        headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
        ...(method === 'POST' ? { body: body.toString() } : {}),
      })
      reply.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(await answer.text())
    }
  })
  await new Promise<void>(resolve => void host.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  browser = await openBrowser()
})

afterAll(async () => {
  await browser.close()
  await new Promise(resolve => host.close(resolve))
  await network.stop()
})

type Said = {
  paymentIntent?: { status: string }
  error?: { type: string; code?: string; message: string; payment_intent?: { status: string } }
}
type Held = {
  Stripe: (key: string) => {
    elements: (options: object) => {
      create: (type: string) => { mount: (where: string) => void; on: (name: string, tell: (told: { complete?: boolean }) => void) => void }
    }
    confirmPayment: (confirming: object) => Promise<Said>
    retrievePaymentIntent: (secret: string) => Promise<Said>
    handleNextAction: (of: { clientSecret: string }) => Promise<Said>
  }
  elements: object
  told: string[]
  said: Said | undefined
}

/** The form is open, in the language asked for, for an intent of its own. */
async function openForm(locale: Locale): Promise<{ user: User; id: string; secret: string }> {
  const user = await openUserPage(browser, origin, { width: 800 })
  const { id, client_secret } = await stripe.paymentIntents.create({ amount: 4250, currency: 'eur' })
  const secret = client_secret ?? ''
  await user.page.goto('/')
  await user.page.evaluate(
    ({ key, secret, locale }) => {
      const held = window as unknown as Held
      held.told = []
      held.elements = held.Stripe(key).elements({ clientSecret: secret, locale })
      const element = (held.elements as ReturnType<ReturnType<Held['Stripe']>['elements']>).create('payment')
      element.on('ready', () => held.told.push('ready'))
      element.on('change', ({ complete }) => held.told.push(complete ? 'complete' : 'incomplete'))
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
      const held = window as unknown as Held
      held.said = undefined
      const confirming = { elements: held.elements, clientSecret: secret, redirect: 'if_required' }
      void held
        .Stripe(key)
        .confirmPayment(confirming)
        .then(said => {
          held.said = said
        })
    },
    { key: network.publishableKey, secret },
  )
}

async function said({ page }: User): Promise<Said | undefined> {
  await page.waitForFunction(() => (window as unknown as Held).said !== undefined)
  return page.evaluate(() => (window as unknown as Held).said)
}

const languageOf = (locale: Locale) => words[locale.slice(0, 2) as keyof typeof words]

test.each(locales)('in %s a card is typed in and pays; faults are said first', async locale => {
  const { user, id, secret } = await openForm(locale)
  const { page } = user
  await page.getByLabel(languageOf(locale).number, { exact: true }).waitFor()
  await begin(user, secret)
  expect((await said(user))?.error).toMatchObject({ type: 'validation_error', message: messages(locale)('validation.required') })
  await fill(user, '4242 4242 4242 4241', '1220', '12')
  await begin(user, secret)
  for (const [key, params] of [
    ['validation.invalidCreditCard', {}],
    ['validation.invalidCreditCardExpiration', {}],
    ['validation.cardSecurityCode', { digits: 3 }],
  ] as const)
    await page.getByText(messages(locale)(key, params)).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.locator('[autocomplete=cc-exp]').fill('')
  await fill(user, '4242 4242 4242 4242')
  await begin(user, secret)
  expect(await said(user)).toMatchObject({ paymentIntent: { status: 'succeeded' } })
  expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'succeeded', amount_received: 4250 })
  const told = await page.evaluate(() => (window as unknown as Held).told)
  expect([told[0], told.at(-1)]).toEqual(['ready', 'complete'])
  expect(user.complaints).toEqual([])
  await user.stop()
})

test('a declined card says why, in the language of the form, and another one pays', async () => {
  const { user, secret } = await openForm('fr-FR')
  await fill(user, '4000000000009995')
  await begin(user, secret)
  expect(await said(user)).toMatchObject({
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
  expect(await said(user)).toMatchObject({ paymentIntent: { status: 'succeeded' } })
  await user.stop()
})

test('3-D Secure asks in a window: no leaves the payment open, yes pays', async () => {
  const { user, secret } = await openForm('es-ES')
  const { page } = user
  await fill(user, '4000002500003155')
  await begin(user, secret)
  await page.getByRole('dialog', { name: words.es.title }).getByText('42,50').waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await said(user)).toMatchObject({
    error: { code: 'payment_intent_authentication_failure', message: words.es.payment_intent_authentication_failure },
  })
  await begin(user, secret)
  await page.getByRole('button', { name: words.es.approve }).click()
  expect(await said(user)).toMatchObject({ paymentIntent: { status: 'succeeded' } })
  expect(user.complaints).toEqual([])
  await user.stop()
})

test('when the network is lost the form says so and can be sent again', async () => {
  const { user, secret } = await openForm('pt-PT')
  await fill(user, '5555555555554444')
  network.fault({ fault: 'error', path: '/v1/payment_intents/*/confirm' })
  await begin(user, secret)
  expect(await said(user)).toMatchObject({ error: { type: 'api_error', message: words.pt.unavailable } })
  await begin(user, secret)
  expect(await said(user)).toMatchObject({ paymentIntent: { status: 'succeeded' } })
  await user.stop()
})

test('a payment that waits for its holder is taken up after the page was left', async () => {
  const { user, id, secret } = await openForm('it-IT')
  const { page } = user
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_authenticationRequiredOnSetup' })
  const asked = { key: network.publishableKey, secret }
  const found = await page.evaluate(({ key, secret }) => (window as unknown as Held).Stripe(key).retrievePaymentIntent(secret), asked)
  expect(found).toMatchObject({ paymentIntent: { status: 'requires_action' } })
  await page.evaluate(({ key, secret }) => {
    const held = window as unknown as Held
    void held
      .Stripe(key)
      .handleNextAction({ clientSecret: secret })
      .then(said => {
        held.said = said
      })
  }, asked)
  await page.getByRole('dialog').getByRole('button').first().click()
  expect(await said(user)).toMatchObject({ paymentIntent: { status: 'succeeded' } })
  await user.stop()
})

test('without `if_required` the page goes where it is told, with the intent in the address', async () => {
  const { user, id, secret } = await openForm('en-EN')
  const { page } = user
  await fill(user, '4242424242424242')
  await page.evaluate(
    ({ key, place }) => {
      const held = window as unknown as Held
      void held.Stripe(key).confirmPayment({ elements: held.elements, confirmParams: { return_url: place } })
    },
    { key: network.publishableKey, place: `${origin}/after` },
  )
  await page.waitForURL(/after/)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    payment_intent: id,
    payment_intent_client_secret: secret,
    redirect_status: 'succeeded',
  })
  await user.stop()
})
