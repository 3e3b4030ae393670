import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { compareQuotes } from '#common/quotes/calls.ts'
import { standingsOf } from '#common/quotes/comparison.ts'
import type { Quote } from '#common/quotes/schemas.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { signInTo } from '#portal/session/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { openFunnel } from '../testing.ts'

let app: TestApp
let browser: Browser
let funnel: Awaited<ReturnType<typeof openFunnel>>
let begin: typeof import('./offers.tsx')
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  browser = openBrowser(app)
  await signInTo('agent@azahar.example')
  funnel = await openFunnel()
  begin = await import('./offers.tsx')
})
afterEach(async () => {
  await funnel.whenWritten()
  await browser.close()
})

const now = () => funnel.useFunnel.getState()

/** Returns the service's quote of the product for the trip. */
async function quoteOf(): Promise<Quote> {
  const { ask } = await import('#portal/kit/ask.ts')
  const { standingsRequest } = await import('../compare/use-standings.ts')
  const standing = standingsOf(await ask(compareQuotes, standingsRequest(funnel.trip)), standingsRequest(funnel.trip)).get(
    funnel.product.uuid,
  )
  if (standing?.state !== 'priced') throw new Error('the trip has no price')
  return standing.quote
}

test('a sale begins at step 2 with the shown price, without another request', async () => {
  const { queries } = await import('#portal/kit/queries.ts')
  const quote = await quoteOf()
  begin.beginSale(funnel.product, funnel.trip, quote, quote.total)
  expect(now()).toMatchObject({ step: 2, productUuid: funnel.product.uuid, agreedTotal: Math.round(quote.total * 100), trip: funnel.trip })
  expect(queries.getQueryData(['quote', funnel.quoteRequest(funnel.product, funnel.trip)])).toEqual(quote)
  expect(funnel.checkStep({ location: { pathname: '/funnel', searchStr: '?step=2' }, preload: false })).toBeUndefined()
})

test('a resumed quote keeps its price, until another product is chosen', async () => {
  const quote = await quoteOf()
  const source = { mode: 'resume', taker: 'Ana', startDate: '', endDate: '', productGone: undefined } as const
  const resume = (productUuid: string) =>
    funnel.useFunnel.setState({ takenUp: source, productUuid, trip: funnel.trip, agreedTotal: 1234, bought: undefined })
  resume(funnel.product.uuid)
  begin.beginSale(funnel.product, funnel.trip, quote, quote.total)
  expect(now().agreedTotal).toBe(1234)
  resume('00000000-0000-7000-8000-000000000000')
  begin.beginSale(funnel.product, funnel.trip, quote, quote.total)
  expect(now().agreedTotal).toBe(Math.round(quote.total * 100))
})

test('the kept price that is shown counts as accepted', async () => {
  const quote = await quoteOf()
  const source = { mode: 'resume', taker: 'Ana', startDate: '', endDate: '', productGone: undefined } as const
  funnel.useFunnel.setState({
    takenUp: source,
    productUuid: funnel.product.uuid,
    trip: funnel.trip,
    agreedTotal: undefined,
    bought: undefined,
  })
  begin.beginSale(funnel.product, funnel.trip, quote, 12.34)
  expect(now().agreedTotal).toBe(1234)
})

test('a quote of an older node, without dates, keeps those of the trip', async () => {
  const { startDate: _, endDate: __, ...older } = await quoteOf()
  funnel.useFunnel.setState({ takenUp: undefined, agreedTotal: undefined, bought: undefined })
  // Safe: an older node sends such a quote.
  begin.beginSale(funnel.product, funnel.trip, older as typeof older & { startDate: string; endDate: string }, older.total)
  expect(now().trip).toEqual(funnel.trip)
})

test('a purchase under way is not changed by a typed trip', () => {
  funnel.fill()
  const asked = funnel.registerRequest(funnel.product, {})
  funnel.useFunnel.setState({ bought: { asked, registerKey: 'a', purchaseKey: 'b' } })
  funnel.keepTrip({ ...funnel.trip, travelers: 5 })
  expect(now()).toMatchObject({ trip: funnel.trip, step: 3 })
})
