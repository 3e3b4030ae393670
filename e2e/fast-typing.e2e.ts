import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, displayDate, today } from '#common/kit/dates.ts'
import { enter, openPortal, type Portal, rowNames, type User } from './browser.ts'
import { expectPage } from './expect-page.ts'

// A sale that is typed at twelve keys a second.

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

const delay = 83

/** Types a text; a word in angle brackets is a key. */
async function type({ keyboard }: Page, ...texts: string[]): Promise<void> {
  for (const text of texts)
    if (text.startsWith('<')) await keyboard.press(text.slice(1, -1), { delay })
    else await keyboard.type(text, { delay })
}

const field = (text: string) => [text, '<Tab>']
/** Returns the birth date of a traveller of this age, as an agent types it: 150385. */
const bornFor = (age: number): string =>
  (displayDate(addDays(today(new Date(), 'Europe/Madrid'), -Math.round((age + 0.5) * 365.25))) ?? '').replaceAll(
    /\/(?:\d\d(?=\d\d$))?/g,
    '',
  )
const trip = [...field('+20'), ...field('+7'), '<Tab>', ...field('ital'), ...field('44, 41, 9')]
const holder = ['46003', 'Calle de la Paz 31', 'marcos@mail.example', '', '612345678'].flatMap(field)
const travellers = [
  ['Marcos', 'Ferrando', 'Ibáñez', bornFor(44), '', '12345678Z'],
  ['José Luis', 'Soler', 'Pastor', bornFor(41), '', '11111111H'],
  ['Ana', 'Ferrando', 'Soler', bornFor(9), '', ''],
].flatMap(row => row.flatMap(field))
/** The fields of each step with Tab at the end, and the keys that end the step. */
const steps = {
  trip: [...trip, '<Control+Enter>'],
  people: [...holder, ...travellers, '<Control+Enter>'],
  payment: ['<Space>', '<Control+Enter>'],
}

async function openTrip(): Promise<User> {
  const user = await portal.newUser({ inHaste: true })
  const { id } = await portal.app.world.database.asService(tx =>
    tx.selectFrom('products').select('id').where('code', '=', 'ESS').executeTakeFirstOrThrow(),
  )
  await enter(user, 'agent@azahar.example', `/funnel?product=${id}`)
  await user.page.locator('[name=startDate]').focus()
  return user
}

/** Returns the number, the policyholder and the travellers of each sold policy. */
async function sold(): Promise<{ number: string | null; taker: string; names: string[] }[]> {
  const [policies, people] = await portal.app.world.database.asService(tx =>
    Promise.all([
      tx.selectFrom('policies').select(['id', 'number', 'taker']).where('status', '=', 'purchased').orderBy('id').execute(),
      tx
        .selectFrom('policy_people')
        .select(['policy_id', 'name', 'middle_name', 'last_name'])
        .where('traveller', '=', true)
        .orderBy('position')
        .execute(),
    ]),
  )
  return policies.map(({ id, number, taker }) => ({
    number,
    taker,
    names: people.filter(each => each.policy_id === id).map(({ name, middle_name, last_name }) => `${name} ${middle_name} ${last_name}`),
  }))
}

test('a sale typed at twelve keys a second is right, if each step is waited for', async () => {
  const user = await openTrip()
  const { page } = user
  await type(page, ...steps.trip)
  await page.locator('[name=zipCode]:focus').waitFor()
  await type(page, ...steps.people)
  await page.locator('[name=demandsAndNeeds]:focus').waitFor()
  await type(page, ...steps.payment)
  const number = await page.locator('[data-policy-number]').innerText()
  expect((await sold()).find(each => each.number === number)).toEqual({
    number,
    taker: 'Marcos Ferrando Ibáñez',
    names: ['Marcos Ferrando Ibáñez', 'José Luis Soler Pastor', 'Ana Ferrando Soler'],
  })
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a sale typed without waiting removes, opens and sells nothing', async () => {
  const user = await openTrip()
  const { page } = user
  const before = await sold()
  // Step 2 comes in the middle of what is typed for it.
  const [asked, answered] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  await page.route('**/api/products/check-destination-coverage', async route => {
    asked.resolve(undefined)
    await answered.promise
    await route.continue()
  })
  await type(page, ...steps.trip)
  await asked.promise
  await type(page, ...holder)
  await expectPage(page.locator('dialog[open]')).toHaveCount(0)
  await expectPage(page).toHaveURL(/funnel\?product=/)
  answered.resolve(undefined)
  await type(page, ...travellers, '<Control+Enter>', ...steps.payment)
  await expectPage(page).toHaveURL(/funnel\?step=2$/)
  await expectPage(page.locator('dialog[open]')).toHaveCount(0)
  expect(await rowNames(page)).toHaveLength(3)
  expect(await sold()).toEqual(before)
  expect(user.problems).toEqual([])
  await user.stop()
})
