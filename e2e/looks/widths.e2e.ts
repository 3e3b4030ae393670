import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { locales } from '#common/kit/locales.ts'
import { closeMonths } from '#server/accounting/statements/close.ts'
import { type Agent, asker, register, signIn } from '#testing/agent.ts'
import { enter, openPortal, type Portal, seedAzahar } from '../browser.ts'

// Lines that must not wrap, texts that must not be cut, and columns that must not move, at critical widths.

let portal: Portal
let agent: Agent
beforeAll(async () => {
  portal = await openPortal()
  await seedAzahar(portal, 60)
  agent = await signIn(
    asker(() => portal.origin),
    'agent@azahar.example',
  )
  // Quotes that depart soon are tasks of the day.
  for (const days of [1, 2, 3, 4]) await saveQuote(days)
  await closeMonths(portal.app.world)
})
afterAll(() => portal.stop())

async function saveQuote(departsIn: number): Promise<string> {
  const now = today(new Date(), 'Europe/Madrid')
  const trip = { startDate: addDays(now, departsIn), endDate: addDays(now, departsIn + 7), saveBudget: true }
  return (await register(agent, trip)).body.data.policyUuid
}

test.each(['es-ES', 'fr-FR'] as const)('the footer of the payment at 820 pixels is one line in %s', async chosen => {
  const user = await portal.newUser({ width: 820, chosen })
  const { page } = user
  await enter(user, 'manager@azahar.example')
  await page.goto(`/funnel?policy=${await saveQuote(20)}`)
  await page.waitForURL(/step=3$/)
  const pay = page.locator('[data-foot] .goes-on')
  await pay.filter({ hasText: '€' }).waitFor()
  const boxes = await Promise.all([page.locator('[data-foot] output[name=total]'), pay].map(each => each.boundingBox()))
  const [total, button] = boxes.map(box => (box ? box.y + box.height / 2 : Number.NaN))
  expect(Math.abs(Number(total) - Number(button))).toBeLessThan(20)
  await page.getByRole('button', { name: portal.app.world.words(chosen)('funnel.save_budget') }).waitFor()
  await user.stop()
})

test.each(['es-ES', 'fr-FR'] as const)('the tasks of the day at 1440 pixels are shown in full in %s', async chosen => {
  const user = await portal.newUser({ chosen })
  const { page } = user
  await enter(user, 'manager@azahar.example', '/policies')
  const strip = page.getByRole('region', { name: portal.app.world.words(chosen)('day.title') })
  await strip.getByRole('link').first().waitFor()
  const cut = await strip
    .locator('span, b')
    .evaluateAll(texts =>
      texts
        .filter(
          each => each.checkVisibility() && !each.matches('.sr-only') && each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0,
        )
        .map(({ textContent }) => textContent),
    )
  expect(cut).toEqual([])
  await user.stop()
})

test('at 390 pixels the page keeps the price bar of step 2 clear of the focused field', async () => {
  const user = await portal.newUser({ width: 390 })
  const { page } = user
  await enter(user, 'agent@azahar.example', `/funnel?policy=${await saveQuote(20)}`)
  await page.waitForURL(/step=3$/)
  await page.goto('/funnel?step=2')
  const bar = page.locator('[data-foot]')
  await bar.locator('output', { hasText: '€' }).waitFor()
  const room = await bar.evaluate(
    each => Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) - each.getBoundingClientRect().height,
  )
  expect(room).toBeGreaterThanOrEqual(0)
  await user.stop()
})

test.each([1440, 820, 390])('at %d pixels an undo covers neither the field in use nor a bar at the bottom', async width => {
  const user = await portal.newUser({ width, touch: width === 390 })
  const { page } = user
  const t = portal.app.world.words('es-ES')
  await enter(user, 'agent@azahar.example', `/funnel?policy=${await saveQuote(20)}`)
  await page.waitForURL(/step=3$/)
  await page.goto('/funnel?step=2')
  const add = page.getByRole('button', { name: t('funnel.extra.add') })
  for (let many = 0; many < 4; many++) await add.click()
  await page.getByRole('button', { name: t('funnel.extra.remove', { place: 6 }) }).click()
  const boxOf = (selector: string) => page.locator(selector).evaluate(each => each.getBoundingClientRect().toJSON())
  const toast = page.locator('[data-toast]')
  await toast.hover()
  const shown = await boxOf('[data-toast]')
  expect(shown.bottom).toBeLessThanOrEqual((await boxOf('.price-bar')).top)
  const focused = await boxOf('#main :focus')
  expect(focused.bottom).toBeLessThanOrEqual(shown.top)
  await page.getByRole('button', { name: t('funnel.start_over') }).click()
  await toast.getByText(t('funnel.started_over')).waitFor()
  await toast.hover()
  const [emptied, bars] = [await boxOf('[data-toast]'), width === 390 ? await boxOf('.places') : undefined]
  expect(emptied.bottom).toBeLessThanOrEqual(bars?.top ?? 900)
  const covered = await page
    .locator('#main :is(button, input, label)')
    .evaluateAll((controls, top) => controls.filter(each => each.getBoundingClientRect().bottom > top).length, emptied.top)
  expect(covered).toBe(0)
  await user.stop()
})

test('the list of quotes at 1440 pixels shows all columns without scrolling sideways', async () => {
  const user = await portal.newUser()
  const { page } = user
  await enter(user, 'agent@azahar.example', '/policies/saved')
  await page.locator('tbody tr[tabindex]').first().waitFor()
  await expect
    .poll(() => page.locator('table').evaluate(table => table.scrollWidth - (table.parentElement?.clientWidth ?? 0)))
    .toBeLessThanOrEqual(0)
  await user.stop()
})

test('the question about a postal code fits its column', async () => {
  const user = await portal.newUser()
  const { page } = user
  const t = portal.app.world.words('es-ES')
  await enter(user, 'agent@azahar.example', `/funnel?policy=${await saveQuote(20)}`)
  await page.waitForURL(/step=3$/)
  await page.goto('/funnel?step=2')
  await page.locator('[name=zipCode]').fill('41001')
  await page.keyboard.press('Tab')
  const confirm = page.getByRole('button', { name: t('funnel.zipCode_confirm') })
  await confirm.waitFor()
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const over = await confirm.evaluate(button => ({
      column: button.getBoundingClientRect().right - (button.parentElement?.getBoundingClientRect().right ?? 0),
      text: button.scrollWidth - button.clientWidth,
    }))
    expect(over.column, `${width}`).toBeLessThanOrEqual(0.5)
    expect(over.text, `${width}`).toBeLessThanOrEqual(0)
  }
  await user.stop()
})

test.each(locales)('on a phone the heading of a step is one line in %s', async chosen => {
  const user = await portal.newUser({ width: 390, touch: true, chosen })
  const { page } = user
  await enter(user, 'manager@azahar.example')
  await page.goto(`/funnel?policy=${await saveQuote(20)}`)
  await page.waitForURL(/step=3$/)
  await page.getByRole('button', { name: portal.app.world.words(chosen)('funnel.start_over') }).waitFor()
  for (const step of [3, 2, 1]) {
    await page.goto(`/funnel?step=${step}`)
    await page.locator('#main nav li').last().waitFor()
    const head = page.locator('#main header:has(h1)')
    await expect.poll(() => head.evaluate(each => each.clientHeight), { message: `step ${step}` }).toBeLessThan(50)
  }
  await user.stop()
})

test.each(locales)('no list scrolls sideways in %s: the last columns are whole, and so are its tabs, beside a panel too', async chosen => {
  const user = await portal.newUser({ chosen })
  const { page } = user
  await enter(user, 'manager@azahar.example')
  const cut: string[] = []
  const tabsBeyond = () =>
    page
      .locator('#main [role=tablist]')
      .first()
      .evaluate(tabs => tabs.scrollWidth - tabs.clientWidth)
  for (const path of ['/policies?perPage=50', '/policies/saved?perPage=50', '/earnings?period=twelve', '/earnings?tab=statements']) {
    await page.goto(path)
    await page.locator('#main [role=group] tr[data-key]').first().waitFor()
    for (const width of [820, 900, 980, 1100, 1180, 1260, 1366, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const beyond = await page.locator('#main [role=group]:has(> table)').evaluate(list => list.scrollWidth - list.clientWidth)
      if (beyond > 0) cut.push(`${path} at ${width} by ${beyond}`)
      const tabs = await tabsBeyond()
      if (tabs > 0) cut.push(`the tabs of ${path} at ${width} by ${tabs}`)
    }
    await page.locator('#main [role=group] tr[data-key]').first().click()
    await page.locator('[data-panel] h2').waitFor()
    const tabs = await tabsBeyond()
    if (tabs > 0) cut.push(`the tabs of ${path} beside a panel by ${tabs}`)
  }
  expect(cut).toEqual([])
  await user.stop()
})

test.each(locales)('beside an open statement the commission of each product is visible in %s', async chosen => {
  const user = await portal.newUser({ chosen, width: 1440 })
  const { page } = user
  await enter(user, 'manager@azahar.example', '/earnings?period=twelve&tab=statements')
  await page.locator('#main [role=group] tr[data-key]').first().click()
  await page.locator('[data-panel]').getByRole('listitem').first().waitFor()
  const table = page.locator('#main .bg-sheet [role=tabpanel] table').first()
  const beyond = await table.evaluate(it => it.getBoundingClientRect().right - (it.parentElement?.getBoundingClientRect().right ?? 0))
  expect(beyond).toBeLessThanOrEqual(0.5)
  await user.stop()
})

const heads = (page: Page): Promise<number[]> =>
  page.evaluate(() => [...document.querySelectorAll('th')].map(head => head.getBoundingClientRect().x))

test.each([
  [1440, '/policies'],
  [820, '/policies'],
  [1440, '/policies/saved'],
  [820, '/policies/saved'],
])('at %d pixels the headings of %s stay when the rows arrive', async (width, path) => {
  const user = await portal.newUser({ width, chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'manager@azahar.example')
  const rows = Promise.withResolvers<void>()
  await page.route('**/api/policy/list*', async route => {
    await rows.promise
    await route.continue()
  })
  await page.locator(`a[href="${path}"]`).first().click()
  await page.locator('table[aria-busy=true]').waitFor()
  const before = await heads(page)
  rows.resolve()
  await page.locator('tr[data-key]').first().waitFor()
  const moves = (await heads(page)).map((x, index) => Math.abs(x - Number(before[index])))
  expect(Math.max(...moves), moves.map(Math.round).join(' ')).toBeLessThanOrEqual(25)
  await user.stop()
})

test.each(['/verify', '/my-policy', '/my-quote'])('%s has the letters of the pages for clients', async path => {
  const user = await portal.newUser({ width: 390, touch: true })
  const { page } = user
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const sizes = await page.evaluate(() =>
    ['main h1', 'main p + form, main output, main > p'].map(
      each => getComputedStyle(document.querySelector(each) ?? document.body).fontSize,
    ),
  )
  expect(sizes).toEqual(['27px', '17px'])
  await user.stop()
})
