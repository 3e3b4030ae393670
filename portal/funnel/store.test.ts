import { isRedirect } from '@tanstack/react-router'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { deletePolicy, policyDetail, purchasePolicy, registerPolicy } from '#common/policies/calls.ts'
import { home } from '#common/session/redirect.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { signInTo } from '#portal/session/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import type { FunnelState, Purchase } from './store.ts'
import { openFunnel } from './testing.ts'

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
  await app.world.outbox.drain()
  await browser.close()
})

const now = () => funnel.useFunnel.getState()

/** Returns where the guard redirects a navigation; undefined if it lets it pass. */
function ledTo(href: string, { preload = false, checkStep = funnel.checkStep } = {}): unknown {
  const { pathname, search: searchStr } = new URL(href, 'http://portal.example')
  try {
    checkStep({ location: { pathname, searchStr }, preload })
    return undefined
  } catch (error) {
    if (!isRedirect(error)) throw error
    const { to, search = {} } = error.options
    return `${to}${Object.entries(search)
      .map(([name, value]) => `?${name}=${String(value)}`)
      .join('')}`
  }
}

const request = (more: Partial<Purchase['asked']> = {}) => funnel.registerRequest(funnel.product, more)
const onAccount = () => funnel.product.paymentGateways.find(({ name }) => name === 'Deferred')?.uuid ?? ''
const underWay = (): Purchase => ({ asked: request({ paymentGatewayUUID: onAccount() }), registerKey: 'r', purchaseKey: 'p' })

/** Sells the sale in the funnel on the agency's account. */
async function sell(): Promise<Purchase> {
  const { ask } = await import('#portal/kit/ask.ts')
  const bought = underWay()
  const { purchaseUUID } = await ask(registerPolicy, bought.asked)
  return { ...bought, done: await ask(purchasePolicy, { paymentGatewayUUID: onAccount(), purchaseUUID }) }
}

test('a sale states the shown residence, and a quote only a chosen one', () => {
  const { useFunnel, product, trip, fill, typed, arePeopleComplete } = funnel
  const residenceSent = (saveBudget: boolean) => request({ saveBudget }).users[0]?.residenceCountryId
  fill()
  useFunnel.setState({ productUuid: product.uuid })
  expect([arePeopleComplete(), residenceSent(false), residenceSent(true)]).toEqual([true, 724, undefined])
  useFunnel.setState({ trip: { ...trip, coverageScope: 250 } })
  expect(arePeopleComplete()).toBe(false)
  useFunnel.setState({ people: funnel.step2Of({ ...typed, residenceCountryId: 724 }) })
  expect([arePeopleComplete(), residenceSent(true)]).toEqual([false, 724])
})

test('step 3 opens for a residence insured by the product or the resumed quote', async () => {
  const { useFunnel, product, trip, typed, arePeopleComplete } = funnel
  const peru = { residenceCountryId: 604, documentNumber: '45879632', phonePrefix: '', phoneNumber: '987654321' }
  useFunnel.setState({ productUuid: product.uuid, trip, people: funnel.step2Of({ ...typed, ...peru }) })
  expect(product.settings.insures).toBe('origin')
  expect(arePeopleComplete()).toBe(false)
  useFunnel.setState({ trip: { ...trip, coverageScope: 604 } })
  expect(arePeopleComplete()).toBe(true)
  useFunnel.setState({ trip, policyUuid: 'saved' })
  expect(arePeopleComplete()).toBe(false)

  const { queries } = await import('#portal/kit/queries.ts')
  const { policyQuery } = await import('#portal/policies/policy-query.ts')
  const saved = (insures: string, startDate?: string) => ({
    policy: { productUuid: product.uuid },
    trip: { ...funnel.tripRequest(trip, false), ...(startDate ? { startDate } : {}) },
    users: [{ traveller: true, birthDate: null }],
    priceValidUntil: '2999-01-01T00:00:00Z',
    files: [],
    terms: { basis: { settings: { insures } }, files: [] },
  })
  const known = (...of: Parameters<typeof saved>) => queries.setQueryData(policyQuery('saved').queryKey, saved(...of))
  known('anyone')
  expect(arePeopleComplete()).toBe(true)
  known('anyone', '2027-01-01')
  expect(arePeopleComplete()).toBe(false)
})

test('a sale is registered with an uploaded document, not with one still uploading', () => {
  const uploadFile = { uuid: crypto.randomUUID(), name: 'Pasaporte.pdf', mediaType: 'application/pdf', size: 9 }
  const sentOf = (file: typeof funnel.typed.uploadFile) => {
    funnel.useFunnel.setState({ trip: funnel.trip, people: funnel.step2Of({ ...funnel.typed, uploadFile: file }) })
    return request().uploadFile
  }
  expect([sentOf(uploadFile), sentOf({ ...uploadFile, uuid: null }), sentOf(null)]).toEqual([uploadFile.uuid, undefined, undefined])
})

test('a quote is requested with each traveller’s age or birth date, if known', () => {
  const asked = (changes: Partial<typeof funnel.trip>) => {
    const { ages, birthDates } = funnel.quoteRequest(funnel.product, { ...funnel.trip, travelers: 3, ...changes })
    return { ages, birthDates }
  }
  expect(asked({})).toEqual({})
  expect(asked({ ages: '34, 36, 8, 2' })).toEqual({ ages: [34, 36, 8] })
  expect(asked({ ages: '34', birthDates: [{ date: '' }, { date: '05/05/1990' }] })).toEqual({
    ages: [34, null, null],
    birthDates: [null, '1990-05-05', null],
  })
  expect(asked({ ages: '34', travelers: null })).toEqual({})
  expect(asked({ ages: 'thirty' })).toEqual({})
  expect(['ages', 'ages[2]', 'birthDates[1]', 'paxNumber'].map(funnel.tripField)).toEqual(['ages', 'ages', 'ages', 'travelers'])
})

test('a saved quote has the ages, a sale only the birth dates', async () => {
  const { ask } = await import('#portal/kit/ask.ts')
  const quoteWith = async (ages: string) => {
    funnel.useFunnel.setState({ trip: { ...funnel.trip, ages }, people: undefined })
    return ask(registerPolicy, request({ saveBudget: true }))
  }
  const [old, young] = [await quoteWith('70'), await quoteWith('40')]
  expect(old.total).toBeGreaterThan(young.total)
  const { trip } = await ask(policyDetail, { policyUuid: old.policyUuid })
  expect(trip).toMatchObject({ ages: [70] })
  funnel.fill()
  funnel.useFunnel.setState({ trip: { ...funnel.trip, ages: '70' } })
  expect(request()).not.toHaveProperty('ages')
})

test('a new sale has its product’s defaults and nothing of the previous sale', () => {
  funnel.fill()
  funnel.useFunnel.setState({ policyUuid: 'saved', agreedTotal: 100, takenUp: undefined, bought: underWay() })
  const { sale } = now()
  funnel.newSale(funnel.product)
  expect(now()).toEqual({
    ...funnel.emptyFunnel,
    sale: sale + 1,
    productUuid: funnel.product.uuid,
    trip: funnel.newTripForm(funnel.product),
  })
})

test('a new sale has the minimum of travellers, and a trip price only if insured', () => {
  const { settings } = funnel.product
  const tripWith = (changes: Partial<typeof settings>) => funnel.newTripForm({ ...funnel.product, settings: { ...settings, ...changes } })
  expect([tripWith({ minPax: 10 }).travelers, tripWith({ minPax: 0 }).travelers]).toEqual([10, 1])
  expect(tripWith({ hasAmountCancellation: true }).priceTravel).toBeNull()
  expect(tripWith({ hasAmountCancellation: false }).priceTravel).toBe(0)
})

test('a new sale without a product has no trip', () => {
  funnel.newSale(undefined)
  expect(now()).toMatchObject({ productUuid: undefined, trip: undefined, step: 1 })
})

test('a sale restored by undo has its own forms', () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  const before = now()
  funnel.newSale(funnel.product)
  funnel.restart(before)
  expect(now()).toEqual({ ...before, sale: before.sale + 2 })
})

test.each<[string, (state: FunnelState) => Partial<FunnelState>, boolean]>([
  ['nothing typed', () => ({}), false],
  ['no trip', () => ({ trip: undefined }), false],
  ['a start date', ({ trip }) => ({ trip: trip && { ...trip, startDate: '01/01/2030' } }), true],
  ['an end date', ({ trip }) => ({ trip: trip && { ...trip, endDate: '01/01/2030' } }), true],
  ['a birth date', ({ trip }) => ({ trip: trip && { ...trip, birthDates: [{ date: '05/05/1990' }] } }), true],
  ['an age', ({ trip }) => ({ trip: trip && { ...trip, ages: '36' } }), true],
  ['an empty birth date', ({ trip }) => ({ trip: trip && { ...trip, birthDates: [{ date: '' }] } }), false],
  ['a price', ({ trip }) => ({ trip: trip && { ...trip, priceTravel: 300 } }), true],
  ['more travellers', ({ trip }) => ({ trip: trip && { ...trip, travelers: 7 } }), true],
  ['a destination', ({ trip }) => ({ trip: trip && { ...trip, mainDestination: [392] } }), true],
  ['a name', () => ({ people: { policyHolderType: { id: 1, name: '' }, name: 'Ana' } }), true],
  ['a business', () => ({ people: { policyHolderType: { id: 1, name: '' }, businessName: 'Azahar' } }), true],
])('a sale with %s counts as having input: $2', (_with, change, isTyped) => {
  funnel.newSale(funnel.product)
  funnel.useFunnel.setState(change(now()))
  expect(funnel.hasInput(now())).toBe(isTyped)
})

test('a sale counts as typed while it is being paid, and no longer once it is sold', async () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  funnel.useFunnel.setState({ bought: underWay() })
  expect(funnel.hasInput(now())).toBe(true)
  funnel.useFunnel.setState({ bought: await sell() })
  expect(funnel.hasInput(now())).toBe(false)
})

test('a new sale begins with one traveller, no price and no dates', { tags: 'S3.4' }, () => {
  expect(funnel.newTripForm(funnel.product)).toEqual({
    startDate: '',
    endDate: '',
    coverageScope: 724,
    mainDestination: [],
    travelers: 1,
    priceTravel: 0,
    reservationDate: '',
    ages: '',
    birthDates: [],
  })
})

test('a sale is registered with the typed business reference', { tags: 'S3.6' }, () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  expect(request().buReference).toBeNull()
  funnel.useFunnel.setState({ people: funnel.step2Of({ ...funnel.typed, insuranceData: ' EXP-7 ' }) })
  expect(request().buReference).toBe('EXP-7')
})

test('the step and the typed values of a sale survive a reload', { tags: 'S4.2' }, async () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  const { step, trip, people, productUuid } = now()
  await funnel.whenWritten()
  await browser.reload()
  const { start, restart } = await import('#portal/shell/start.ts')
  funnel = await openFunnelAfter(async () => {
    restart(true)
    await start(home, '')
  })
  expect(now()).toMatchObject({ step, trip, people, productUuid })
  expect([step, ledTo('/funnel?step=3')]).toEqual([3, undefined])
})

test('another product keeps the typed values', () => {
  const other = { ...funnel.product, settings: { ...funnel.product.settings, lockOriginRegion: false, lockDestinationCountry: false } }
  expect(funnel.tripFor(other, { ...funnel.trip, coverageScope: 620 })).toEqual({ ...funnel.trip, coverageScope: 620 })
})

test('another product replaces only the countries that it locks', () => {
  const settings = { ...funnel.product.settings, lockOriginRegion: true, lockDestinationCountry: true }
  const locking = { ...funnel.product, settings: { ...settings, defaultDestinationCountry: { id: 250, name: 'France' } } }
  expect(funnel.tripFor(locking, { ...funnel.trip, coverageScope: 620 })).toEqual({
    ...funnel.trip,
    coverageScope: settings.defaultOriginRegion.id,
    mainDestination: [250],
  })
})

test('another product that locks no destination keeps the typed one', () => {
  const settings = { ...funnel.product.settings, lockOriginRegion: false, lockDestinationCountry: true }
  const { defaultDestinationCountry: _, ...unnamed } = settings
  expect(funnel.tripFor({ ...funnel.product, settings: { ...unnamed, defaultDestinationCountry: null } }, funnel.trip)).toEqual(funnel.trip)
})

test.each([
  ['/funnel', 1],
  ['/funnel?step=2', 2],
  ['/funnel/steps/step3', 3],
  ['/funnel/steps/step2?step=3', 2],
  ['/funnel?step=7', 1],
])('the guard reads the step of %s as %i', { tags: ['S2.3', 'S2.4'] }, (href, step) => {
  const { pathname, search } = new URL(href, 'http://portal.example')
  expect(funnel.stepOf(pathname, search)).toBe(step)
})

test('the guard refuses steps 2 and 3 of an empty trip', { tags: 'S2.13' }, () => {
  funnel.newSale(funnel.product)
  expect(['/funnel', '/funnel?step=2', '/funnel?step=3'].map(href => ledTo(href))).toEqual([undefined, '/products', '/products'])
})

test('the guard lets step 2 pass with a complete trip, step 3 with complete people', { tags: 'S2.13' }, () => {
  funnel.newSale(funnel.product)
  funnel.useFunnel.setState({ trip: funnel.trip })
  expect(['/funnel?step=2', '/funnel?step=3'].map(href => ledTo(href))).toEqual([undefined, '/products'])
  funnel.fill()
  expect(ledTo('/funnel?step=3')).toBeUndefined()
})

test('the guard refuses step 2 if the product is no longer sold', () => {
  funnel.fill()
  funnel.useFunnel.setState({ productUuid: 'gone' })
  expect(ledTo('/funnel?step=2')).toBe('/products')
})

test('the guard refuses step 3 after a traveller with empty fields was added', { tags: 'S2.13' }, () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  funnel.useFunnel.setState({ trip: { ...funnel.trip, travelers: 2 } })
  expect(ledTo('/funnel?step=3')).toBe('/products')
})

test('the guard redirects every step to step 3 while a sale is being paid', () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  funnel.useFunnel.setState({ bought: underWay() })
  expect(['/funnel', '/funnel?step=2', '/funnel?step=3'].map(href => ledTo(href))).toEqual(['/funnel?step=3', '/funnel?step=3', undefined])
})

test('the guard always lets the URL of a quote or a copy pass', () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  funnel.useFunnel.setState({ bought: underWay() })
  const before = now()
  expect(['/funnel?policy=p1', '/funnel?copy=p1'].map(href => ledTo(href))).toEqual([undefined, undefined])
  expect(now()).toBe(before)
})

test('the guard redirects from step 2 of a completed sale to a new one without its product', async () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  funnel.useFunnel.setState({ bought: await sell() })
  const { sale } = now()
  expect(ledTo('/funnel?step=3')).toBeUndefined()
  expect(ledTo('/funnel?step=2')).toBe('/funnel?step=1')
  expect(ledTo('/funnel', { preload: true })).toBeUndefined()
  expect(now().sale).toBe(sale)
  expect(ledTo('/funnel')).toBeUndefined()
  expect(now()).toMatchObject({ sale: sale + 1, bought: undefined, people: undefined, productUuid: undefined })
})

test('the guard begins the URL’s product after a completed sale', async () => {
  const { useProducts } = await import('#portal/products/store.ts')
  const other = useProducts.getState().products.find(({ uuid }) => uuid !== funnel.product.uuid)
  funnel.newSale(funnel.product)
  funnel.fill()
  funnel.useFunnel.setState({ bought: await sell() })
  ledTo(`/funnel?product=${other?.uuid}`)
  expect(now().productUuid).toBe(other?.uuid)
})

/** Opens another tab with its own modules over the same session. */
async function another() {
  const tab = browser.anotherTab()
  const there = await tab.run(async () => {
    const [{ start, restart }, { followOtherTabs }] = await Promise.all([import('#portal/shell/start.ts'), import('#portal/kit/stores.ts')])
    const opened = await openFunnelAfter(async () => {
      restart(true)
      await start(home, '')
    })
    followOtherTabs(() => {})
    return opened
  })
  return { tab, there }
}
async function openFunnelAfter(work: () => Promise<void>) {
  await import('./store.ts')
  await work()
  return openFunnel()
}
const sold = (tab: Awaited<ReturnType<typeof another>>) =>
  new Promise<FunnelState>(resolve => tab.tab.run(() => tab.there.useFunnel.subscribe(resolve)))

test('a sale begins in a second tab as a copy of the first one', async () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  await funnel.whenWritten()
  const { there } = await another()
  expect(there.useFunnel.getState()).toMatchObject({ productUuid: funnel.product.uuid, trip: funnel.trip, step: 3 })
})

test('a sale in two tabs is sold in both once it is sold in one', async () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  await funnel.whenWritten()
  const second = await another()
  const heard = sold(second)
  const bought = await sell()
  funnel.useFunnel.setState({ bought: underWay() })
  await funnel.whenWritten()
  funnel.useFunnel.setState({ bought })
  expect((await heard).bought).toEqual(bought)
})

test('a sale changed in one tab stays unsold there when the other tab sells', async () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  await funnel.whenWritten()
  const second = await another()
  second.tab.run(() => second.there.useFunnel.setState({ trip: { ...funnel.trip, travelers: 2 } }))
  await second.tab.run(second.there.whenWritten)
  const heard = sold(second)
  funnel.useFunnel.setState({ bought: await sell() })
  await funnel.whenWritten()
  second.tab.run(() => second.there.useFunnel.setState({ trip: funnel.trip }))
  expect((await heard).bought).toBeUndefined()
  expect(second.there.useFunnel.getState().bought).toBeUndefined()
})

test('a sale begun in one tab is kept there when the other tab resumes a quote', async () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  await funnel.whenWritten()
  const [{ ask }, { startFunnelFrom }] = await Promise.all([import('#portal/kit/ask.ts'), import('./resume/sale-from.ts')])
  const { policyUuid } = await ask(registerPolicy, request({ saveBudget: true }))
  const detail = await ask(policyDetail, { policyUuid })
  const second = await another()
  second.tab.run(() => second.there.useFunnel.setState({ trip: { ...funnel.trip, travelers: 2 } }))
  await second.tab.run(second.there.whenWritten)
  const heard = sold(second)
  startFunnelFrom(detail, 'resume')
  await funnel.whenWritten()
  second.tab.run(() => second.there.useFunnel.setState({ step: 2 }))
  expect([now().policyUuid, (await heard).policyUuid]).toEqual([policyUuid, undefined])
  expect(second.there.useFunnel.getState().policyUuid).toBeUndefined()
})

test('a sale of one unit is lost once another unit is chosen', async () => {
  const { forgetSession } = await import('#portal/session/sign-out.ts')
  forgetSession()
  await signInTo('multi@portolan.example')
  const [{ changeUnit }, { useSession }] = await Promise.all([
    import('#portal/shell/user-choices.ts'),
    import('#portal/session/session.ts'),
  ])
  const [first = '', second = ''] = useSession.getState().user?.businessUnits.map(({ uuid }) => uuid) ?? []
  funnel.newSale(funnel.product)
  funnel.fill()
  await funnel.whenWritten()
  await changeUnit(second)
  expect(now()).toEqual(funnel.emptyFunnel)
  expect(browser.localStorage.getItem('portolan.funnel')).toBeNull()
  await changeUnit(first)
  expect(now()).toEqual(funnel.emptyFunnel)
})

const startFrom = async (policyUuid: string, mode: 'resume' | 'copy') => {
  const [{ ask }, { startFunnelFrom }] = await Promise.all([import('#portal/kit/ask.ts'), import('./resume/sale-from.ts')])
  return startFunnelFrom(await ask(policyDetail, { policyUuid }), mode)
}
const save = async () => {
  const { ask } = await import('#portal/kit/ask.ts')
  const { policyUuid } = await ask(registerPolicy, request({ saveBudget: true }))
  funnel.newSale(funnel.product)
  return policyUuid
}

test('a complete saved quote resumes at step 3, at the price that was agreed', async () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  const policyUuid = await save()
  expect(await startFrom(policyUuid, 'resume')).toBe(3)
  expect(now()).toMatchObject({ step: 3, policyUuid, bought: undefined, takenUp: { mode: 'resume' }, agreedTotal: expect.any(Number) })
  expect(ledTo('/funnel?step=3')).toBeUndefined()
})

test('a resumed quote takes neither language nor unfinished save of the previous sale', async () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  const policyUuid = await save()
  funnel.fill()
  funnel.useFunnel.setState({ clientLocale: 'pt-PT', saving: { asked: request({ saveBudget: true }), key: 'k' } })
  await startFrom(policyUuid, 'resume')
  expect(now()).toMatchObject({ policyUuid, saving: undefined, clientLocale: 'es-ES' })
  funnel.useFunnel.setState({ clientLocale: 'pt-PT', saving: { asked: request({ saveBudget: true }), key: 'k' } })
  await startFrom(policyUuid, 'copy')
  expect(now()).toMatchObject({ policyUuid: undefined, saving: undefined, clientLocale: undefined })
})

test('a saved quote without people resumes at step 2', async () => {
  funnel.newSale(funnel.product)
  funnel.useFunnel.setState({ trip: funnel.trip })
  expect(await startFrom(await save(), 'resume')).toBe(2)
})

test('a saved quote of a product no longer sold resumes at step 1', async () => {
  const { useProducts } = await import('#portal/products/store.ts')
  funnel.newSale(funnel.product)
  funnel.fill()
  const policyUuid = await save()
  useProducts.setState(({ products }) => ({ products: products.filter(({ uuid }) => uuid !== funnel.product.uuid) }))
  expect(await startFrom(policyUuid, 'resume')).toBe(1)
  expect(now().takenUp?.productGone).toBe(funnel.product.name)
})

test('a saved quote resumes at step 1 even if another product accepts its trip', async () => {
  const { useProducts } = await import('#portal/products/store.ts')
  funnel.newSale(funnel.product)
  funnel.fill()
  const policyUuid = await save()
  useProducts.setState({ products: [{ ...funnel.product, uuid: crypto.randomUUID(), name: 'Another' }] })
  expect(await startFrom(policyUuid, 'resume')).toBe(1)
})

test('a copied quote begins at step 2 as a sale of its own', async () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  expect(await startFrom(await save(), 'copy')).toBe(2)
  expect(now()).toMatchObject({ policyUuid: undefined, agreedTotal: undefined, trip: { startDate: funnel.trip.startDate } })
})

test('a saved quote replaces a sale that was being paid', async () => {
  funnel.newSale(funnel.product)
  funnel.fill()
  const policyUuid = await save()
  funnel.fill()
  funnel.useFunnel.setState({ bought: underWay() })
  await startFrom(policyUuid, 'resume')
  expect(now().bought).toBeUndefined()
})

test('a saved quote that was deleted meanwhile leaves an independent sale', async () => {
  const { ask, Refused } = await import('#portal/kit/ask.ts')
  funnel.newSale(funnel.product)
  funnel.fill()
  const policyUuid = await save()
  await startFrom(policyUuid, 'resume')
  await ask(deletePolicy, { policyUuid })
  const refusal = await ask(registerPolicy, request({ paymentGatewayUUID: onAccount() })).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Refused)
  expect(funnel.budgetFailure(new Error('something else'))).toBeUndefined()
  expect(now().policyUuid).toBe(policyUuid)
  expect(funnel.budgetFailure(refusal)).toBe('funnel.buy.budget_gone')
  expect(now()).toMatchObject({ policyUuid: undefined, takenUp: undefined, trip: { startDate: funnel.trip.startDate } })
  expect(funnel.budgetFailure(refusal)).toBeUndefined()
})

test('a comparison begins with the trip of the sale in progress, or with a new one', () => {
  const { products } = funnel.useProducts.getState()
  expect(funnel.tripToCompare(products)).toEqual(funnel.newTripForm(funnel.product))
  funnel.fill()
  expect(funnel.tripToCompare(products)).toEqual(funnel.trip)
  funnel.useFunnel.setState({ bought: underWay() })
  expect(funnel.tripToCompare(products)).toEqual(funnel.newTripForm(funnel.product))
})

test('a comparison’s trip begins the sale, or returns the one in progress to step 1', () => {
  funnel.carryTrip(funnel.product, funnel.trip)
  expect(now()).toMatchObject({ productUuid: funnel.product.uuid, trip: funnel.trip, step: 1 })
  funnel.fill()
  funnel.useFunnel.setState({ agreedTotal: 100 })
  funnel.carryTrip(funnel.product, funnel.trip)
  expect(now()).toMatchObject({ step: 3, agreedTotal: 100 })
  funnel.carryTrip(funnel.product, { ...funnel.trip, travelers: 2 })
  expect(now()).toMatchObject({ step: 1, agreedTotal: undefined, trip: { travelers: 2 }, people: { name: 'Ana' } })
})

test('a comparison’s trip gets the countries that its product locks', () => {
  const home = funnel.useProducts.getState().products.find(({ code }) => code === 'HOM')
  if (!home) throw new Error('the demo sells no Home')
  funnel.carryTrip(home, funnel.trip)
  expect(now().trip).toMatchObject({ mainDestination: [724], coverageScope: 724 })
})

test('a comparison’s trip begins a new sale after a completed one', async () => {
  funnel.fill()
  funnel.useFunnel.setState({ bought: underWay() })
  const other = { ...funnel.trip, travelers: 2 }
  funnel.carryTrip(funnel.product, other)
  expect(now()).toMatchObject({ trip: funnel.trip, step: 3 })
  funnel.useFunnel.setState({ bought: await sell() })
  funnel.carryTrip(funnel.product, other)
  expect(now()).toMatchObject({ trip: other, step: 1, bought: undefined, people: undefined })
})

test('a booking pasted after a sale fills a new one, and its undo removes both clients', async () => {
  const [{ chosenFrom }, { partsOf }] = await Promise.all([import('./paste/take-chosen.ts'), import('./paste/fill-people.ts')])
  funnel.fill()
  funnel.useFunnel.setState({ bought: await sell() })
  const before = funnel.tripToCompare([funnel.product])
  let trip = before
  const put = (change: Partial<typeof trip>) => {
    trip = { ...trip, ...change }
    funnel.keepTrip(trip)
  }
  const found = { at: [0, 1], isSure: true } as const
  const pedro = { ...found, value: { name: 'Pedro', middleName: 'Gomez', email: 'pedro@correo.example' }, doubts: [], travels: true }
  const parts = partsOf([pedro], funnel.peopleForm(undefined, trip), true)
  const fields = [{ ...found, field: 'mainDestination', value: 250 }] as const
  const { undo } = chosenFrom({ fields, parts, replaced: [] }).fillIn({ now: () => trip, put })
  expect(now()).toMatchObject({
    trip: { mainDestination: [250] },
    bought: undefined,
    people: { name: 'Pedro', email: 'pedro@correo.example' },
  })
  undo()
  expect(now()).toMatchObject({ trip: before, people: undefined })
})
