import type { Browser, CDPSession, Page } from 'playwright-core'
import { addDays, displayDate, today } from '#common/kit/dates.ts'
import { demoPassword } from '#testing/agent.ts'
import { openBrowser } from '#tools/open-browser.ts'
import { withoutBaseline, type Figure, median } from './compare.ts'
import { type MeasuredPage, pages } from './pages.ts'
import { openSetup } from './setup.ts'

/** Measures the first load of a page on a slow network and CPU, and a long form's response to typing. */
export async function benchPortal(rounds: number): Promise<Figure[]> {
  const setup = await openSetup(undefined)
  const browser = await openBrowser()
  try {
    const figures: Figure[] = []
    for (const page of pages) figures.push(...(await measureFirstLoad(browser, setup.service.origin, page, rounds)))
    const group: string = setup.agent.products.find(({ code }) => code === 'GRP').uuid
    figures.push(await measureTyping(browser, setup.service.origin, group))
    return figures
  } finally {
    await browser.close()
    await setup.stop()
  }
}

/** Throttles the page to 1.6 Mbit/s, 150 ms round-trip time and a quarter of the CPU. */
async function throttle(page: Page): Promise<CDPSession> {
  const debuggerSession = await page.context().newCDPSession(page)
  const speed = (1.6 * 1_000_000) / 8
  await debuggerSession.send('Network.enable')
  await debuggerSession.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: speed,
    uploadThroughput: speed,
  })
  await debuggerSession.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return debuggerSession
}

const watch = `
  window.seen = { largest: 0, shift: 0, pressed: {} }
  const watch = (type, see, options) => new PerformanceObserver(list => list.getEntries().forEach(see)).observe({ type, buffered: true, ...options })
  watch('largest-contentful-paint', ({ startTime }) => { seen.largest = startTime })
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value })
  watch('event', ({ interactionId: id, duration }) => { if (id) seen.pressed[id] = Math.max(seen.pressed[id] ?? 0, duration) }, { durationThreshold: 16 })`

type Seen = { largest: number; shift: number; pressed: Record<number, number> }
const seenOn = (page: Page) => page.evaluate<Seen>('seen')

/** Returns the interaction to next paint (INP): the slowest, without one outlier in fifty. */
const interactionToPaint = ({ pressed }: Seen, presses: number): number =>
  Object.values(pressed).sort((one, other) => other - one)[Math.floor(presses / 50)] ?? 0

/** Measures a first visit with an empty cache. Pages behind the sign-in only have a session. */
async function measureFirstLoad(browser: Browser, origin: string, measured: MeasuredPage, rounds: number): Promise<Figure[]> {
  const { name, path, limit, email } = measured
  const [largest, shift, weights]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ baseURL: origin, locale: 'es-ES', viewport: { width: 1440, height: 900 } })
    if (email) {
      const before = await context.newPage()
      await enter(before, email)
      await before.close()
    }
    const page = await context.newPage()
    const debuggerSession = await throttle(page)
    await debuggerSession.send('Network.clearBrowserCache')
    await page.addInitScript(watch)
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('html:not(:has([aria-busy=true]))').waitFor()
    const seen = await seenOn(page)
    largest.push(seen.largest)
    shift.push(seen.shift)
    weights.push(await page.evaluate<number>(loaded))
    await context.close()
  }
  return [
    withoutBaseline(
      { work: `${name}: first load, script and style`, unit: ' kB', target: `≤ ${limit} kB` },
      median(weights),
      kB => kB <= limit,
    ),
    withoutBaseline(
      { work: `${name}: LCP, 1.6 Mbps, 150 ms, CPU ÷4`, unit: ' ms', target: '≤ 2000 ms' },
      median(largest),
      ms => ms <= 2000,
    ),
    withoutBaseline({ work: `${name}: layout shift`, unit: '', target: '≤ 0.02' }, Math.max(...shift), shift => shift <= 0.02),
  ]
}

const loaded = `performance.getEntriesByType('resource').filter(({ name }) => /\\.(js|css)$/.test(name)).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000`

async function enter(page: Page, email: string = 'agent@azahar.example'): Promise<void> {
  await page.goto('/auth/sign-in')
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(demoPassword)
  await page.locator('[type=submit]').click()
  await page.locator('#main h1').waitFor()
}

const travellers = 200

/** Measures typing into the grid of two hundred travellers, leaving each field with Tab. */
async function measureTyping(browser: Browser, origin: string, product: string): Promise<Figure> {
  const context = await browser.newContext({ baseURL: origin, locale: 'es-ES', viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await enter(page)
  await toTravellers(page, product)
  await throttle(page)
  await page.evaluate(watch)
  const rows = [0, 12, 24].flatMap(index => ['name', 'middleName', 'docNumber'].map(name => `extraTravellers.${index}.${name}`))
  let presses = 0
  for (const name of ['name', 'middleName', 'documentNumber', ...rows]) {
    await page.locator(`[name="${name}"]`).focus()
    // The script's own scrolling through the list is not a key.
    await page.waitForTimeout(250)
    for (const key of [...Array.from('Etxeberria'), 'Tab']) {
      await page.keyboard.press(key)
      await page.waitForTimeout(120)
      presses++
    }
  }
  const slowest = interactionToPaint(await seenOn(page), presses)
  await context.close()
  return withoutBaseline(
    { work: `a key in a form of ${travellers} travellers, CPU ÷4, INP of ${presses}`, unit: ' ms', target: '≤ 50 ms' },
    slowest,
    ms => ms <= 50,
  )
}

/** Opens the form for the travellers of a large group. */
async function toTravellers(page: Page, product: string): Promise<void> {
  await toTrip(page, product)
  await page.locator('[data-product][aria-selected=true]').click()
  await page.keyboard.press('Control+Enter')
  await page.locator('[name="extraTravellers.0.name"]').waitFor()
}

async function toTrip(page: Page, product: string): Promise<void> {
  await page.goto(`/funnel?product=${product}`)
  await page.locator('[name=startDate]').waitFor()
  const day = (days: number) => displayDate(addDays(today(new Date(), 'Europe/Madrid'), days)) ?? ''
  await page.locator('[name=startDate]').fill(day(10))
  await page.locator('[name=endDate]').fill(day(15))
  await page.locator('[name=ages]').fill(`${travellers}x`)
  await page.locator('[name=mainDestination]').fill('ital')
  await page.locator('[name=mainDestination]').press('Enter')
}
