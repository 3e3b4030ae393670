import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRoute, routes } from '#common/shell/routes.ts'
import type { PlainMessageId } from '#common/kit/words/words.ts'
import { closeMonths } from '#server/accounting/statements/close.ts'
import { asker, register, sell, signIn } from '#testing/agent.ts'
import { pngOf } from '#server/agency/logo/testing.ts'
import { within } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { holdJobs } from '#server/kit/work/jobs.ts'
import { insertReview } from '#server/payments/queries.ts'
import { demoScope } from '#server/session/testing.ts'
import { accessibilityAtWidths, waitUntilLoaded, enter, openPortal, type Portal, seedAzahar, wordsOf } from '../browser.ts'

// Checks every screen and dialog with axe at 1440 and 390 pixels. French has the longest words.

let portal: Portal
let budget = ''
let sold = ''
beforeAll(async () => {
  portal = await openPortal()
  await seedAzahar(portal, 40)
  const agent = await signIn(
    asker(() => portal.origin),
    'agent@azahar.example',
  )
  budget = (await register(agent, { saveBudget: true })).body.data.policyUuid
  sold = (await sell(agent)).policyUuid
  // Its two versions can be compared.
  const change = { policyUuid: sold, version: 1, change: { buReference: 'Otra' }, expectedDifference: 0 }
  expect((await agent.ask('/api/policy/change', { body: change })).status).toBe(200)
  await fileRequest(agent)
  await createFailures(demoScope('azahar'))
  // The invented policies were sold within three years.
  await closeMonths(portal.app.world)
})
afterAll(() => portal.stop())

/** Files a support request of the first type without required questions. */
async function fileRequest(agent: Awaited<ReturnType<typeof signIn>>): Promise<void> {
  const { body } = await agent.ask('/api/tickets/forms')
  const { uuid: typeUuid } = body.data.find(
    ({ kind, fields }: { kind: string; fields: { required: boolean }[] }) =>
      kind === 'request' && fields.every(({ required }) => !required),
  )
  const fields = { subject: 'Una pregunta', description: '¿Qué cubre?', contactEmail: 'ana@example.es', contactPhone: '+34 612 345 678' }
  const filed = await agent.ask('/api/tickets/requests', { body: { typeUuid, ...fields } })
  expect(filed.status, filed.text).toBe(200)
}

/** Creates a rejected email, a failed job and a payment to review. */
async function createFailures(scope: Scope): Promise<void> {
  const { world } = portal.app
  await world.outbox.drain()
  await world.database.asService(async tx => {
    const first = async (table: 'mails' | 'jobs' | 'payments') =>
      (await within(tx, scope).selectFrom(table).select('id').limit(1).executeTakeFirstOrThrow()).id
    await tx
      .updateTable('mails')
      .set({ state: 'refused', reason: '550 no such mailbox' })
      .where('id', '=', await first('mails'))
      .execute()
    await tx
      .updateTable('jobs')
      .set({ state: 'failed', last_error: 'no connection' })
      .where('id', '=', await first('jobs'))
      .execute()
    const received = { cents: 1250, currency: 'EUR' }
    await insertReview(within(tx, scope), {
      id: world.ids.next(),
      payment_id: await first('payments'),
      at: world.clock.now(),
      reason: 'amount',
      details: JSON.stringify({ intent: 'pi_x', received }),
    })
  })
}

const t = wordsOf(() => portal, 'fr-FR')

/** A screen with its URL, or an action on the previous screen. */
type Step = [name: string, go: (page: Page) => Promise<unknown>]

const visited = new Set<string>()
/** Opens a URL and waits until the page is loaded. */
const at =
  (address: string) =>
  async (page: Page): Promise<void> => {
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await waitUntilLoaded(page)
    // No redirect happened.
    const { pathname } = new URL(page.url())
    expect(pathname).toBe(new URL(address, portal.origin).pathname)
    visited.add(pathname)
  }
const screen = (address: string): Step => [address, at(address)]
const press = (key: string) => (page: Page) => page.keyboard.press(key)
const button = (key: PlainMessageId) => (page: Page) =>
  page
    .getByRole('button', { name: t(key) })
    .first()
    .click()
/** Opens a dialog by these steps and waits until it is loaded. */
const window =
  (...steps: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page): Promise<void> => {
    for (const step of steps) await step(page)
    await page.locator('dialog[open]').last().waitFor()
    await waitUntilLoaded(page)
  }
/** Opens the panel beside a list, and waits until it is loaded. */
const panel =
  (...steps: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page): Promise<void> => {
    for (const step of steps) await step(page)
    await page.locator('[data-panel] > div > *').first().waitFor()
    await waitUntilLoaded(page)
  }
const row = (page: Page) => page.locator('#main tbody tr[tabindex]').first().click()
const tab = (key: PlainMessageId) => (page: Page) =>
  page
    .locator('[data-panel]')
    .getByRole('tab', { name: t(key) })
    .click()

/** The folder for a picture of each screen, set by `npm run screens`. */
const pictures = process.env['SCREENS']
let pictureCount = 0

async function checkScreens(email: string | undefined, steps: Step[]): Promise<void> {
  const user = await portal.newUser({ chosen: 'fr-FR' })
  if (email) await enter(user, email)
  const found: object[] = []
  for (const [name, go] of steps) {
    await go(user.page)
    if (pictures) await user.page.screenshot({ path: join(pictures, `${++pictureCount}.png`), animations: 'disabled' })
    for (const violation of await accessibilityAtWidths(user.page)) found.push({ on: name, ...violation })
  }
  expect(found).toEqual([])
  await user.stop()
}

test('signed-out pages pass axe', () =>
  checkScreens(undefined, [
    screen('/auth/sign-in'),
    screen('/auth/forgot'),
    screen('/auth/reset#token=x'),
    screen('/auth/invitation#token=x'),
    screen('/auth/two-factor'),
    screen('/verify'),
    ['an unknown certificate', at('/verify?number=1&code=AAAAA-AAAAA')],
    screen('/my-policy'),
    screen('/my-quote'),
    screen('/my-data#none'),
    screen('/credits'),
    screen('/nowhere'),
  ]))

test('an agent’s product page and the shell’s dialogs pass axe', () =>
  checkScreens('agent@azahar.example', [
    screen('/products'),
    ['the comparison', window(compareTwo)],
    ['the prices', page => at('/products')(page).then(() => typeTrip(page))],
    ['a product of the prices', window(press('d'))],
    ['the sale is begun anew', startOver],
    ['a product', window(at('/products'), button('products.details'))],
    ['the palette', window(at('/products'), press('Control+k'))],
    ['the keyboard shortcuts', window(at('/products'), press('?'))],
    ['the user’s menu', async page => at('/products')(page).then(() => page.getByRole('button', { name: /agent@azahar/ }).click())],
    ['the session has ended', endSession],
  ]))

test('an agent’s funnel passes axe', () =>
  checkScreens('agent@azahar.example', [
    screen('/funnel'),
    ['/funnel?step=3', async page => at(`/funnel?policy=${budget}`)(page).then(() => page.locator('[name=demandsAndNeeds]').waitFor())],
    screen('/funnel?step=2'),
    screen('/funnel?step=1'),
    ['/funnel, comparison', window(page => page.getByRole('button', { name: t('products.compare', { count: 0 }) }).click())],
    ['a booking to paste', window(at('/funnel?step=1'), button('line.paste'))],
    ['a list to import', window(at('/funnel?step=2'), button('funnel.extra.import'))],
    screen('/funnel/steps/step1'),
    screen('/funnel/steps/step2'),
    screen('/funnel/steps/step3'),
  ]))

test('an agent’s policies and quotes pass axe', () =>
  checkScreens('agent@azahar.example', [
    screen('/policies'),
    ['the sales figures', window(button('policies.earned'))],
    ['a policy', panel(at(`/policies?policy=${sold}`))],
    [
      'a policy’s email',
      window(page =>
        page
          .locator('[data-panel]')
          .getByRole('button', { name: t('policies.send'), exact: true })
          .click(),
      ),
    ],
    ['policies of a period', at('/policies?returnFrom=0d&returnTo=29d')],
    ['a view to save', page => at('/policies?sort=total')(page).then(() => button('panel.view_save')(page))],
    ['marked policies', page => at('/policies')(page).then(() => selectTwo(page))],
    ['an email to several', window(button('policies.send'))],
    screen('/policies/saved'),
    ['a policy alone', at(`/policies?policy=${sold}&as=page`)],
    ['a change', panel(at(`/policies?policy=${sold}&desk=change`), openGroups)],
    ['a change that is refused', refuseChange],
    ['a cancellation', panel(at(`/policies?policy=${sold}&desk=cancel`))],
    ['a withdrawal without a right', panel(at(`/policies?policy=${sold}&desk=withdraw`))],
    ['a reinstatement that is refused', panel(at(`/policies?policy=${sold}&desk=reinstate`))],
    ['the versions of a policy', panel(at(`/policies?policy=${sold}&desk=versions`))],
    ['a saved quote', panel(at(`/policies/saved?policy=${budget}`))],
    [
      'a saved quote’s email',
      window(page =>
        page
          .locator('[data-panel]')
          .getByRole('button', { name: t('policies.send') })
          .first()
          .click(),
      ),
    ],
    ['a saved quote with a link', panel(page => page.keyboard.press('Escape'), linkQuote)],
    [
      'the question before deleting',
      window(page =>
        page
          .locator('[data-panel]')
          .getByRole('button', { name: t('policies.delete') })
          .click(),
      ),
    ],
    ['who is insured already', at(`/funnel?copy=${sold}`)],
  ]))

test('an agent’s claims, requests and account pass axe', () =>
  checkScreens('agent@azahar.example', [
    screen('/claim'),
    screen('/claim?write=new'),
    ['a claim’s form', page => page.getByRole('radio').first().check()],
    screen('/customer-service'),
    screen('/customer-service?write=new'),
    ['a request’s form', page => page.getByRole('radio').first().check()],
    ['a request', panel(at('/customer-service'), row)],
    screen('/account?tab=me'),
    ['a second factor', window(button('account.two_factor.turn_on'))],
    ['a page without permission', at('/administration')],
  ]))

test('a manager’s agency pages pass axe', () =>
  checkScreens('manager@azahar.example', [
    screen('/earnings?period=twelve'),
    screen('/earnings?tab=statements'),
    ['a statement', panel(at('/earnings?tab=statements'), row)],
    ['a question about a line', window(page => page.locator('[data-panel] li:has(a)').first().getByRole('button').click())],
    screen('/earnings?tab=reports'),
    ['a scheduled report', window(at('/earnings?tab=reports'), button('reports.schedule'))],
    screen('/account'),
    ['a logo is cropped', window(chooseLogo)],
    screen('/account?tab=users'),
    ['an invitation', window(button('agency.users.invite'))],
    [
      'a user’s actions',
      async page => at('/account?tab=users')(page).then(() => page.locator('#main tbody').getByRole('button').first().click()),
    ],
    ['a user’s permissions', window(page => page.getByRole('menuitem').first().click())],
  ]))

test('the administration passes axe', () =>
  checkScreens('admin@portolan.example', [
    screen('/administration'),
    ['a new unit', window(button('administration.new_unit'))],
    ['a unit', panel(at('/administration'), row)],
    ['a unit’s products', tab('administration.offer')],
    [
      'a unit is suspended',
      window(page =>
        page
          .locator('[data-panel]')
          .getByRole('button', { name: t('administration.suspend') })
          .click(),
      ),
    ],
    screen('/administration?tab=users'),
    ['a new user', window(button('administration.new_user'))],
    ['a user', panel(at('/administration?tab=users'), row)],
    screen('/administration?tab=audit'),
    ['an audit entry', panel(row)],
    screen('/administration?tab=work'),
    ['a rejected email', panel(row)],
    screen('/administration?tab=work&work=jobs'),
    ['a failed job', panel(row)],
    screen('/administration?tab=payments'),
    ['a payment to review', panel(row)],
    screen('/administration?tab=accounts'),
    ['an agency’s account', panel(row)],
    ['an agency’s payment', window(button('administration.account_payment'))],
    screen('/administration?tab=accounts&part=bordereaux'),
    screen('/administration?tab=catalogue'),
    ['catalogue changes', panel(row)],
    [
      'jobs that are held',
      async page => {
        await portal.app.world.database.asService(holdJobs)
        await at('/administration?tab=work&work=jobs')(page)
      },
    ],
  ]))

test('every page of the portal was checked with axe', () => {
  const redirects = new Set(['/', '/auth/callback'])
  const pages = Object.keys(routes).filter(path => isRoute(path) && !redirects.has(path))
  expect(pages.filter(path => !visited.has(path))).toEqual([])
})

/** Types a complete trip into the line, whose prices then get the focus. */
async function typeTrip(page: Page): Promise<void> {
  await page.locator('[name=startDate]').fill('+20')
  await page.locator('[name=endDate]').fill('+9')
  await page.locator('[name=mainDestination]').fill('thaï')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Tab')
  await page.locator('[name=ages]').fill('34, 36, 8')
  await page.keyboard.press('Enter')
  // The first product lacks the cost of the trip.
  await page.locator('[name=priceTravel]:focus').waitFor()
  await page.keyboard.press('ArrowUp')
}

/** Makes a link of the saved quote, which its panel then shows. */
async function linkQuote(page: Page): Promise<void> {
  const agent = await signIn(
    asker(() => portal.origin),
    'agent@azahar.example',
  )
  expect((await agent.ask('/api/policy/quote-link', { body: { policyUuid: budget } })).status).toBe(200)
  await at(`/policies/saved?policy=${budget}`)(page)
  await page
    .locator('[data-panel]')
    .getByRole('button', { name: t('share.revoke') })
    .waitFor()
}

/** Opens all groups of fields, and changes a date. */
async function openGroups(page: Page): Promise<void> {
  await page.locator('[name=endDate]').fill('+4')
  for (let closed = 4; closed > 0; closed -= 1) await page.locator('[data-panel] [aria-pressed=false]').first().click()
}

/** Moves the return further than the policy may last. */
async function refuseChange(page: Page): Promise<void> {
  await page.locator('[name=endDate]').fill('+100')
  await page.keyboard.press('Tab')
  await page.locator('[name=endDate][aria-invalid=true]').waitFor()
}

async function startOver(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: t('funnel.start_over') }).click()
  await page
    .getByRole('button', { name: t('products.details') })
    .first()
    .waitFor()
}

async function compareTwo(page: Page): Promise<void> {
  for (const index of [0, 1]) await page.locator('[name=compare]').nth(index).check()
  await page.getByRole('button', { name: t('products.compare', { count: 2 }) }).click()
}

const chooseLogo = (page: Page) =>
  page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pngOf({ width: 400, height: 200 }) })

async function selectTwo(page: Page): Promise<void> {
  for (const index of [1, 2]) await page.locator('#main tbody input[type=checkbox]').nth(index).check()
}

async function endSession(page: Page): Promise<void> {
  await at('/products')(page)
  await page.context().clearCookies({ name: 'session' })
  await page.getByRole('link', { name: t('shell.menu.policies'), exact: true }).click()
  await page.locator('dialog[open]').waitFor()
}
