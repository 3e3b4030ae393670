import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { displayDate } from '#common/kit/dates.ts'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import { admin } from '#server/administration/testing.ts'
import { inProcess, type TestApp, type TestReply } from '#server/kit/testing.ts'
import { leo, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { isTrace, leaveTraces, rectifyAs, xenia } from '#server/privacy/testing.ts'
import { enter, fill, inDays, openPortal, type Portal, toPeople, type User } from './browser.ts'

// Searches for a person's data wherever operators, mail servers, proxies and thieves could read it. The data: name, birth date, document, contact and
// health.

const folder = mkdtempSync(join(tmpdir(), 'leaks-'))
const log: string[] = []
const urls = new Set<string>()
const stored: string[] = []
let mailbox: Mailbox
let portal: Portal
let app: TestApp
let seller: Seller
beforeAll(async () => {
  mailbox = await openMailbox()
  portal = await openPortal(
    { LOG_LEVEL: 'trace', SMTP_URL: mailbox.url, SUPPRESSION_FILE: join(folder, 'suppressed.jsonl') },
    { logTo: { write: line => void log.push(line) } },
  )
  app = inProcess(portal.app)
  seller = await sellerOf(app)
})
afterAll(async () => {
  await portal.stop()
  await mailbox.close()
  rmSync(folder, { recursive: true })
})

const words = () => portal.app.world.words('es-ES')

/** Collects all URLs that the page requests, shows or sends as its referrer. */
function watch({ page }: User): void {
  page.on('request', request => {
    urls.add(request.url())
    urls.add(request.headers()['referer'] ?? '')
  })
  page.on('framenavigated', frame => urls.add(frame.url()))
}

const birthDate = displayDate(xenia.birthDate) ?? ''
const fullName = `${xenia.name} ${xenia.middleName} ${xenia.lastName}`

/** Types a sale to her, and saves the quote under her reference. */
async function saleInBrowser(page: Page): Promise<void> {
  await fill(page, { startDate: inDays(20), endDate: inDays(27), mainDestination: 'ital' })
  await page.keyboard.press('Tab')
  await toPeople(page)
  await page.waitForURL(/step=2$/)
  const { name, middleName, lastName, docNumber: documentNumber } = xenia
  await fill(page, { name, middleName, lastName, documentNumber, birthDate, province: 'valencia' })
  await page.keyboard.press('Enter')
  await fill(page, { city: 'alzira' })
  await page.getByRole('option', { name: 'Alzira' }).click()
  await fill(page, { address: xenia.address, zipCode: '46600', email: xenia.email, phoneNumber: xenia.phoneNumber })
  await page.keyboard.press('Tab')
  await readStored(page)
  await page.getByRole('button', { name: words()('funnel.save_budget') }).click()
  await page.locator('[name=buReference]').fill('EXPEDIENTE-XQ')
  await page.locator('[name=buReference]').press('Enter')
  await page.waitForURL(/\/policies\/saved\?policy=/)
}

/** Searches for her in the list, in the administration, and as the client of a policy. */
async function searchesInBrowser(user: User): Promise<void> {
  const { page } = user
  await page.goto('/policies')
  await page.locator('[name=searchData]').fill('Zubizarreta')
  await page.keyboard.press('Enter')
  const found = page.locator('#main tbody tr[tabindex]').filter({ hasText: 'Zubizarreta' }).first()
  await found.click()
  await page.locator('[data-panel]').getByText(xenia.docNumber).first().waitFor()
  await page.reload()
  await page.locator('#main h1').waitFor()
  await enter(user, 'admin@portolan.example', '/administration?tab=privacy')
  await page.getByLabel(words()('privacy.document')).fill(xenia.docNumber)
  await page.getByLabel(words()('privacy.birth_date'), { exact: true }).fill(birthDate)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: fullName }).first().waitFor()
}

const readStorage = `(async () => {
  const found = [...Object.entries(localStorage), ...Object.entries(sessionStorage), ['cookie', document.cookie]]
  for (const { name } of await indexedDB.databases()) found.push(['indexedDB', name])
  for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) found.push(['cache', url])
  return found.map(([name, text]) => name + ' ' + text)
})()`

/** Returns a stored text with what it sealed as bytes: among 60,000 letters of base64, "xenia" occurs by chance once in 560 runs. */
const unsealed = (text: string): string => text.replace(/(?<=sealed )\S+/, sealed => Buffer.from(sealed, 'base64').toString('latin1'))

async function readStored(page: Page): Promise<void> {
  stored.push(...(await page.evaluate<string[]>(readStorage)).map(unsealed))
}

/** Causes errors that quote their values: of an input, a URL, a body and a row. */
async function failures(): Promise<void> {
  const { kysely } = app.world.database
  expect((await registerAs(seller, { users: [{ ...xenia, docNumber: '48765432A' }, leo] })).status).toBe(422)
  expect((await app.ask(`/api/policy/${xenia.email}?name=Quintanilla`, { headers: seller.headers })).status).toBe(404)
  expect((await app.ask('/api/policy/register', { payload: `{"name":"Xenia Zubizarreta`, headers: seller.headers })).status).toBe(400)
  await sql`alter table policy_people add constraint no_xenia check (name <> 'Xenia') not valid`.execute(kysely)
  expect((await registerAs(seller, { users: [xenia, leo] })).status).toBe(500)
  await sql`alter table policy_people drop constraint no_xenia`.execute(kysely)
}

/** Cancels a policy of hers, and answers her requests about her data. */
async function cancelAndAsk(): Promise<void> {
  const post = async (path: string, body: object, headers: Record<string, string>): Promise<TestReply> => {
    const reply = await app.ask(path, { body, headers })
    expect(reply.status, `${path}: ${reply.text}`).toBe(200)
    return reply
  }
  const { policyUuid } = (await sellAs(seller, { users: [xenia, leo] })).body.data.policyData
  mailbox.be('refuse-recipient')
  await app.world.outbox.drain()
  mailbox.be('take')
  const preview = await post('/api/policy/cancel/preview', { policyUuid, version: 1 }, seller.headers)
  const cancelled = { policyUuid, version: 1, expectedRefund: preview.body.data.refund, reason: 'trip_cancelled' }
  await post('/api/policy/cancel', cancelled, seller.headers)
  const { headers } = await admin(app)
  const facts = { docNumber: xenia.docNumber, birthDate: xenia.birthDate }
  const { personKey } = (await post('/api/privacy/find', facts, headers)).body.data.persons[0]
  const asked = { personKey, askedBy: 'person', reason: 'Xenia lo pide, con la rodilla operada' }
  await post('/api/privacy/erase/preview', { personKey }, headers)
  expect((await rectifyAs(app, headers, { ...asked, fields: { address: `${xenia.address}, 3º` } })).status).toBe(200)
  await post('/api/privacy/export', { ...asked, email: xenia.email }, headers)
  await app.world.outbox.drain()
  await post('/api/privacy/erase', asked, headers)
  await app.world.outbox.drain()
}

/** Returns the headers of an email and its parts, as a mail server reads them, without those for names. */
function headersOf(raw: string): string[] {
  const heads = raw.split(/^--\S+(?:--)?\r?$/m).map(part => part.trimStart().split(/\r?\n\r?\n/)[0] ?? '')
  return heads
    .flatMap(head => head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/))
    .filter(line => /^[\w-]+:/.test(line) && !/^(?:subject|to):/i.test(line))
    .map(decoded)
}

const decoded = (line: string): string =>
  line
    .replaceAll(/=\?utf-8\?B\?([^?]*)\?=/gi, (_, text: string) => Buffer.from(text, 'base64').toString())
    .replaceAll(/=\?utf-8\?Q\?([^?]*)\?=/gi, (_, text: string) => percentDecoded(text.replaceAll('=', '%').replaceAll('_', ' ')))
    .replaceAll(/(?:%[\dA-F]{2})+/gi, percentDecoded)

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

test('no log line, metric, email header, URL or browser storage contains a person', async () => {
  const user = await portal.newUser({ chosen: 'es-ES', own: true })
  watch(user)
  const { page } = user
  await enter(user, 'agent@azahar.example', '/funnel')
  await saleInBrowser(page)
  await leaveTraces(app, seller)
  await searchesInBrowser(user)
  await failures()
  await cancelAndAsk()
  await readStored(page)
  const metrics = (await (await fetch(`${portal.origin}/metrics`)).text()).split('\n')
  // A file attached to a claim keeps its owner's name for it, in the part with the file.
  const own = /(?:file)?name="Informe Xenia\.pdf"/
  const headers = mailbox.received.flatMap(({ from, raw }) => [`from ${from}`, ...headersOf(raw)]).map(line => line.replace(own, ''))

  // All searched sources have content: the error, the emails to her, the pages.
  expect(log.join('')).toMatch(/no_xenia/)
  expect(mailbox.received.filter(({ to }) => to.includes(xenia.email)).length).toBeGreaterThan(3)
  expect(headers).toContainEqual(expect.stringMatching(/^Content-Disposition: attachment/i))
  expect(metrics.length).toBeGreaterThan(50)
  expect(stored).toContainEqual(expect.stringMatching(/^portolan\.funnel sealed /))
  expect([...urls].filter(url => /\/policies|\/administration|\/funnel/.test(url)).length).toBeGreaterThan(3)
  const lines = log.map(line => line.replaceAll('no_xenia', ''))
  expect({
    log: lines.filter(isTrace),
    metrics: metrics.filter(isTrace),
    headers: headers.filter(isTrace),
    urls: [...urls].filter(url => isTrace(percentDecoded(url))),
    stored: stored.filter(isTrace),
  }).toEqual({ log: [], metrics: [], headers: [], urls: [], stored: [] })
  await user.stop()
})
