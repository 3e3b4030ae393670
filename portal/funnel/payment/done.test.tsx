import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatMoney, toCents } from '#common/kit/money.ts'
import { purchasePolicy, registerPolicy } from '#common/policies/calls.ts'
import { type Browser, openBrowser, renderInLoadedLanguage, textsIn } from '#portal/kit/testing.ts'
import { signInTo } from '#portal/session/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { openFunnel } from '../testing.ts'

let app: TestApp
let browser: Browser
let endRender: () => void
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(() => {
  browser = openBrowser(app)
  endRender = renderInLoadedLanguage()
})
afterEach(async () => {
  endRender()
  await app.world.outbox.drain()
  await browser.close()
})

test.each(['en-EN', 'pt-PT'] as const)('a sale in %s ends with its number, and a message in that language', async locale => {
  browser.cookies.set('i18n_redirected', { value: locale, httpOnly: false })
  const [{ loadFirstLanguage, loadMessages }, { Done }, { ask }] = await Promise.all([
    import('#portal/kit/words.tsx'),
    import('./done.tsx'),
    import('#portal/kit/ask.ts'),
  ])
  await Promise.all([loadFirstLanguage(), loadMessages('funnel+validation+refusal', 'payments')])
  await signInTo('agent@azahar.example')
  const { product, fill, registerRequest, whenWritten } = await openFunnel()
  fill()
  const paymentGatewayUUID = product.paymentGateways.find(({ name }) => name === 'Deferred')?.uuid ?? ''
  const { purchaseUUID } = await ask(registerPolicy, registerRequest(product, { paymentGatewayUUID }))
  const done = await ask(purchasePolicy, { paymentGatewayUUID, purchaseUUID })
  const { policyNumber, commission, currency } = done.policyData
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <RouterContextProvider router={router}>
        <Done many={undefined} done={done} />
      </RouterContextProvider>
    </QueryClientProvider>,
  )
  const words = app.world.words(locale)
  const amount = formatMoney(toCents(commission) ?? 0, locale, currency)
  const buttons = (['another', 'copy', 'open'] as const).map(name => words(`funnel.done.${name}`))
  expect(textsIn(html)).toEqual(
    expect.arrayContaining([
      words('funnel.done.number'),
      policyNumber,
      expect.stringContaining(` · ${product.name} · `),
      words('funnel.done.commission', { amount }),
      words('documents.certificate'),
      ...buttons,
    ]),
  )
  expect(html).toContain(words('payments.copy_number'))
  await whenWritten()
})
