import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, addMonths, displayDate, today } from '#common/kit/dates.ts'
import { inProcess } from '#server/kit/testing.ts'
import { leo, sellAs, sellerOf } from '#server/policies/testing.ts'
import { leaveTraces, xenia } from '#server/privacy/testing.ts'
import { accessibilityAtWidths, accessibilityOf, enter, openPortal, type Portal, type User, wordsOf } from './browser.ts'
import { expectPage } from './expect-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'privacy-'))
let portal: Portal
let left: Awaited<ReturnType<typeof leaveTraces>>
beforeAll(async () => {
  portal = await openPortal({ SUPPRESSION_FILE: join(folder, 'suppressed.jsonl') })
  const app = inProcess(portal.app)
  const seller = await sellerOf(app)
  left = await leaveTraces(app, seller)
  await sellAs(seller, { users: [anyone, leo] })
})
afterAll(async () => {
  await portal.stop()
  rmSync(folder, { recursive: true })
})

/** A similar person whose data is kept, for requests without an erasure. */
const anyone = { ...xenia, docNumber: '11223344B', birthDate: '1952-04-10', email: 'otra.xenia@correo.example' }

const t = wordsOf(() => portal, 'es-ES')

test('a person is found, a policy held, an erasure done, and blocked data opened', async () => {
  const user = await portal.newUser({ chosen: 'es-ES' })
  const { page } = user
  await enter(user, 'admin@portolan.example', '/administration?tab=privacy')
  const find = page.locator('#main').getByRole('button', { name: t('privacy.find') })
  // One fact is not enough, and the field says so.
  await page.getByLabel(t('privacy.name'), { exact: true }).fill('Xenia')
  await find.click()
  await page.getByText(t('privacy.two_facts')).waitFor()
  await page.getByRole('textbox', { name: t('privacy.birth_date') }).fill('9/3/71')
  await page.keyboard.press('Enter')
  const person = page.getByRole('region', { name: 'Xenia Quintanilla Zubizarreta' })
  await person.getByText(xenia.docNumber).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  expect(page.url()).not.toContain('Xenia')

  // The claim is put on hold.
  const claim = person.getByRole('row').filter({ hasText: t('privacy.place', { kind: 'ticket', number: '' }).trim() })
  await claim
    .first()
    .getByRole('button', { name: t('privacy.hold') })
    .click()
  const hold = page.getByRole('dialog')
  await hold
    .getByRole('textbox', { name: t('privacy.hold_until') })
    .fill(displayDate(addDays(today(new Date(), 'Europe/Madrid'), 60)) ?? '')
  await hold.getByLabel(t('administration.reason')).fill('Juicio 12/26')
  await hold.getByRole('button', { name: t('privacy.hold') }).click()
  await page.getByText(t('privacy.held'), { exact: true }).waitFor()
  // The person's list says so, and offers to lift it.
  await claim.getByText(t('privacy.held_until', { date: '' }).trim()).waitFor()
  await claim.getByRole('button', { name: t('privacy.lift') }).waitFor()

  // The preview explains each item; sending needs a reason.
  await person.getByRole('button', { name: t('privacy.answer') }).click()
  const answer = page.getByRole('dialog', { name: t('privacy.answer') })
  await answer.getByText(t('privacy.because', { because: 'no_contract' })).waitFor()
  await answer.getByText(t('privacy.because', { because: 'in_force' })).waitFor()
  await answer.getByText(`${t('privacy.because', { because: 'held' })} · Juicio 12/26`).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await answer.getByRole('button', { name: t('privacy.do', { kind: 'erase' }) }).click()
  await answer.getByText(t('administration.fault.reason')).waitFor()
  // The letter came before today, from which day its month counts.
  const received = answer.getByRole('textbox', { name: t('privacy.received_on') })
  const now = today(new Date(), 'Europe/Madrid')
  const dayOf = (date: string) => displayDate(date) ?? ''
  await expectPage(received).toHaveValue(dayOf(now))
  await received.fill(dayOf(addDays(now, 1)))
  await received.press('Tab')
  await answer.getByText(t('privacy.received_future')).waitFor()
  const longAgo = addDays(now, -45)
  await received.fill(dayOf(longAgo))
  await received.press('Tab')
  await answer.getByText(t('privacy.received_hint', { state: 'past', date: dayOf(addMonths(longAgo, 1)) })).waitFor()
  const came = addDays(now, -3)
  await received.fill(dayOf(came))
  await answer.getByLabel(t('administration.reason')).fill('Lo pide por carta')
  await answer.getByRole('button', { name: t('privacy.do', { kind: 'erase' }) }).click()
  await page.getByText(t('privacy.done'), { exact: true }).waitFor()
  await expectPage(person.getByText(t('privacy.place', { kind: 'quote', number: '' }))).toHaveCount(0)
  const { rows } = await portal.app.world.database.pool.query('select taker from policies where id = $1', [left.budget])
  expect(rows).toEqual([{ taker: '' }])

  // The request is in the list, with its outcome.
  await page.getByRole('tab', { name: t('privacy.part_requests') }).click()
  await page
    .locator('#main tbody tr[tabindex]')
    .filter({ hasText: t('privacy.kind', { kind: 'erase' }) })
    .click()
  const panel = page.locator('[data-panel]')
  await panel.getByText('Lo pide por carta').waitFor()
  await panel.getByText(dayOf(came), { exact: true }).waitFor()
  await panel.getByText(dayOf(addMonths(came, 1)), { exact: true }).waitFor()
  await panel.getByText(t('privacy.outcome', { outcome: 'erased' })).waitFor()
  await panel.getByRole('button', { name: t('privacy.extend') }).click()
  const extend = page.getByRole('dialog', { name: t('privacy.extend') })
  await extend.getByLabel(t('administration.reason')).fill('Muchos documentos')
  await extend.getByRole('button', { name: t('privacy.extend') }).click()
  await page.getByText(t('privacy.extended')).waitFor()
  await panel.getByText('Muchos documentos').waitFor()

  // A part was refused, so it stays open until it is closed with a reason.
  await panel.getByRole('button', { name: t('privacy.close') }).click()
  const close = page.getByRole('dialog', { name: t('privacy.close') })
  await close.getByLabel(t('administration.reason')).fill('Insiste por carta')
  await close.getByRole('button', { name: t('privacy.close') }).click()
  await page.getByText(t('privacy.closed')).waitFor()
  await panel.getByText('Insiste por carta').waitFor()
  await expectPage(panel.getByRole('button', { name: t('privacy.close') })).toHaveCount(0)

  // An open request past its day is highlighted.
  const requests = portal.app.world.database.pool
  await requests.query(`update person_requests set due_on = '2026-01-31', done_at = null, closing = null`)
  await page.reload()
  await page
    .locator('#main tbody')
    .getByText(t('privacy.past_due', { date: '31/01/2026' }))
    .first()
    .waitFor()

  // The hold is lifted.
  await page.getByRole('tab', { name: t('privacy.part_holds') }).click()
  await page.locator('#main tbody tr[tabindex]').filter({ hasText: 'Juicio 12/26' }).press('Enter')
  const lift = page.getByRole('dialog', { name: t('privacy.lift') })
  await lift.getByLabel(t('administration.reason')).fill('Sentencia firme')
  await lift.getByRole('button', { name: t('privacy.lift') }).click()
  await page.getByText(t('privacy.holds_none')).waitFor()

  // Once it has ended, the policy is blocked, and opened with a reason.
  const { pool } = portal.app.world.database
  await pool.query(`update tickets set status = 'closed'`)
  await pool.query(`update policies set start_date = '2026-01-01', end_date = '2026-02-01' where id = $1`, [left.sold])
  await page.getByRole('tab', { name: t('privacy.part_people') }).click()
  await page.getByLabel(t('privacy.document')).fill(xenia.docNumber)
  await page.getByRole('textbox', { name: t('privacy.birth_date') }).fill('09/03/1971')
  await find.click()
  await person.getByRole('button', { name: t('privacy.answer') }).click()
  await answer.getByLabel(t('administration.reason')).fill('Insiste por carta')
  await answer.getByRole('button', { name: t('privacy.do', { kind: 'erase' }) }).click()
  const unnamed = page.getByRole('region', { name: t('privacy.unnamed') })
  // Nothing is left to erase, so no button is red.
  await unnamed.getByRole('button', { name: t('privacy.answer') }).click()
  await answer.getByRole('button', { name: t('privacy.do', { kind: 'nothing' }) }).waitFor()
  await answer.getByRole('button', { name: t('ui.cancel') }).click()
  await unnamed
    .getByRole('button', { name: t('privacy.open') })
    .first()
    .click()
  const open = page.getByRole('dialog', { name: t('privacy.open_title') })
  await open.getByLabel(t('administration.reason')).fill('Requerimiento judicial')
  await open.getByRole('button', { name: t('privacy.open') }).click()
  // It is shown in words and values, and as a file.
  const blocked = page.getByRole('dialog')
  await blocked.getByText('Zubizarreta').first().waitFor()
  await expectPage(blocked.getByText('name_sort')).toHaveCount(0)
  const [raw] = await Promise.all([page.waitForEvent('download'), blocked.getByRole('button', { name: t('privacy.blocked_file') }).click()])
  expect(raw.suggestedFilename()).toMatch(/\.json$/)
  expect(await accessibilityOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: t('privacy.part_retention') }).click()
  await page.getByRole('region', { name: t('privacy.certificate') }).waitFor()
  await page.getByRole('tab', { name: t('privacy.part_record') }).click()
  const ofEmails = page.getByRole('region', { name: t('record.name', { class: 'message' }) })
  await ofEmails.getByText(t('record.purpose', { class: 'message' })).waitFor()
  await ofEmails.getByText('recipient_address').waitFor()
  expect(user.problems).toEqual([])
  await user.stop()
})

test('a copy is requested, and its link is opened on a phone and works once', async () => {
  const operator = await portal.newUser({ chosen: 'es-ES' })
  const { page } = operator
  await seek(operator, anyone)
  const person = page.getByRole('region', { name: 'Xenia Quintanilla Zubizarreta' })
  // A correction shows its effects before it is made.
  await person.getByRole('button', { name: t('privacy.rectify') }).click()
  const correction = page.getByRole('dialog', { name: t('privacy.rectify') })
  await correction.getByLabel(t('administration.reason')).fill('Lo pide por carta')
  await correction.getByLabel(t('privacy.birth_date'), { exact: true }).fill('10/04/1998')
  await correction.getByRole('button', { name: t('privacy.rectify_preview') }).click()
  await correction.getByRole('button', { name: t('privacy.rectify_send') }).waitFor()
  expect(await accessibilityAtWidths(page)).toEqual([])
  await page.keyboard.press('Escape')
  await person.getByRole('button', { name: t('privacy.copy_ask') }).click()
  const dialog = page.getByRole('dialog', { name: t('privacy.copy_ask') })
  await dialog.getByRole('button', { name: t('privacy.copy_send') }).click()
  await dialog.getByText(t('administration.fault.reason')).waitFor()
  expect(await accessibilityOf(page)).toEqual([])
  await dialog.getByLabel(t('administration.reason')).fill('Lo pide por carta')
  await dialog.getByRole('button', { name: t('privacy.copy_send') }).click()
  await page.getByText(t('privacy.copy_asked')).waitFor()
  await portal.app.world.outbox.drain()
  const { pool } = portal.app.world.database
  const { rows } = await pool.query(`select text_body from mails where recipient_address = $1 and template = 'privacy_copy'`, [
    anyone.email,
  ])
  const link = /\/my-data#[\w-]{22}/.exec(rows[0].text_body)?.[0] ?? ''

  const client = await portal.newUser({ chosen: 'fr-FR', width: 390, touch: true })
  const french = portal.app.world.words('fr-FR')
  const sent: string[] = []
  client.page.on('request', request => sent.push(request.url()))
  await client.page.goto(link)
  const button = client.page.getByRole('button', { name: french('copy.get') })
  await button.waitFor()
  await expect.poll(() => client.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  // Reloading the page does not spend the link.
  await client.page.reload()
  await button.waitFor()
  const [download] = await Promise.all([client.page.waitForEvent('download'), button.click()])
  expect(download.suggestedFilename()).toBe('Copia de sus datos.zip')
  await client.page.getByText(french('copy.done')).waitFor()
  expect(sent.join()).not.toContain(link.split('#')[1])
  await client.page.goto('/my-policy')
  await client.page.goto(link)
  await button.click()
  await client.page.getByText(french('copy.dead')).waitFor()
  expect(client.problems.filter(problem => !problem.includes('404'))).toEqual([])
  await client.stop()

  // The request shows when the copy was opened, and has its letter.
  await page.getByRole('tab', { name: t('privacy.part_requests') }).click()
  await page
    .locator('#main tbody tr[tabindex]')
    .filter({ hasText: t('privacy.kind', { kind: 'export' }) })
    .click()
  const drawer = page.locator('[data-panel]')
  await drawer.getByText(t('privacy.copy_opened')).waitFor()
  const [letter] = await Promise.all([page.waitForEvent('download'), drawer.getByRole('button', { name: t('privacy.letter') }).click()])
  expect(letter.suggestedFilename()).toBe(`${t('privacy.letter_file')}.pdf`)
  expect(await accessibilityOf(page)).toEqual([])
  expect(operator.problems).toEqual([])
  await operator.stop()
})

async function seek(user: User, { docNumber, birthDate }: typeof anyone): Promise<void> {
  const { page } = user
  await enter(user, 'admin@portolan.example', '/administration?tab=privacy')
  await page.getByLabel(t('privacy.document')).fill(docNumber)
  await page.getByLabel(t('privacy.birth_date'), { exact: true }).fill(displayDate(birthDate) ?? '')
  await page.keyboard.press('Enter')
}
