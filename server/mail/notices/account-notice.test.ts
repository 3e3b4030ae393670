import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import { setTerms } from '#server/accounting/public.ts'
import { openClosing } from '#server/accounting/statements/close.ts'
import { type November, playNovember, skipJobs } from '#server/accounting/testing.ts'
import { leo, reach, sellAs } from '#server/policies/testing.ts'
import { demoScope, giveRoles } from '#server/session/testing.ts'
import { mailAccountNotice } from './account-notice.ts'

let mailbox: Mailbox
let november: November
beforeEach(async () => {
  mailbox = await openMailbox()
  november = await playNovember({ SMTP_URL: mailbox.url, PUBLIC_URL: 'http://portal.example' })
  const { app } = november
  await skipJobs(app)
  await giveRoles(app, 'viewer@azahar.example', ['freelancer'])
  await app.world.database.kysely.updateTable('users').set({ locale: 'en-EN' }).where('email', '=', 'accounts@azahar.example').execute()
})
afterEach(() => Promise.all([november.app.stop(), mailbox.close()]))

/** Runs the rounds of two nodes at once, and after a restart. Returns the mails that left, as recipient and subject. */
async function rounds(): Promise<string[]> {
  mailbox.received.length = 0
  const { world } = november.app
  await Promise.all([openClosing(world)(), openClosing(world)()])
  await openClosing(world)()
  await world.outbox.drain()
  return mailbox.received.map(({ to, raw }) => `${to.join()} ${subjectOf(raw)}`).toSorted()
}

const subjectOf = (raw: string): string => {
  const folded = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1] ?? ''
  const joined = folded.replaceAll(/\?=\r\n[ \t]+=\?UTF-8\?Q\?/gi, '').replaceAll(/\r\n[ \t]+/g, ' ')
  const text = joined.replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, word: string) => word.replaceAll('_', ' '))
  return Buffer.from(
    text.replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
}

/** Returns the text of the mail to the accountant, who reads English. */
const textToAccountant = (): string =>
  (mailbox.received.find(({ to }) => to.includes('accounts@azahar.example'))?.raw ?? '')
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/(?:=[\dA-F]{2})+/g, codes => Buffer.from(codes.replaceAll('=', ''), 'hex').toString())

/** Closes November, and sells a long stay on account in December. */
async function sellInDecember(): Promise<void> {
  const { app, at, seller } = november
  await at('2026-12-01T05:00:00Z')
  await rounds()
  await at('2026-12-22T10:00:00Z')
  const { uuid } = seller.products.find(({ code }) => code === 'STU')
  const student = { ...leo, ...reach, birthDate: '2005-01-15', docNumber: '22222222J' }
  const sold = await sellAs(seller, {
    productUUID: uuid,
    users: [student],
    paxNumber: 1,
    startDate: '2027-01-10',
    endDate: '2027-06-08',
    countriesDestinationId: '276',
  })
  expect(sold.status, sold.text).toBe(200)
  await skipJobs(app)
}

test('a closed month is mailed once to each user who sees the agency’s accounts', async () => {
  const { at } = november
  await at('2026-12-01T05:00:00Z')
  expect(await rounds()).toEqual([
    'accounts@azahar.example Viajes Azahar: statement of November 2026',
    'manager@azahar.example Viajes Azahar: liquidación de noviembre de 2026',
  ])
  expect(textToAccountant()).toMatch(/The insurer pays you €36\.60 by 15\/12\/2026\./)
  expect(textToAccountant()).toContain('http://portal.example/earnings?tab=statements&statement=azahar-2026-11')
  // The insurer's debt is not a debt of the agency.
  await at('2026-12-22T08:00:00Z')
  expect(await rounds()).toEqual([])
})

test('a job that is repeated writes no second mail', async () => {
  const { world } = november.app
  await november.at('2026-12-01T05:00:00Z')
  await rounds()
  const rows = await world.database.kysely.selectFrom('jobs').selectAll().where('topic', '=', 'accounting.notice').execute()
  const mails = async () => (await world.database.kysely.selectFrom('mails').select('id').execute()).length
  const before = await mails()
  for (const { id, business_unit_id: businessUnitId, topic, payload } of rows)
    await mailAccountNotice(world)({ id, businessUnitId, topic, payload, attempts: 2, createdAt: new Date() })
  expect([rows.length, await mails()]).toEqual([1, before])
})

test('a debt is mailed three days before it is due, and once it is overdue', async () => {
  const { at } = november
  await sellInDecember()
  await at('2027-01-01T05:00:00Z')
  expect(await rounds()).toHaveLength(2)
  const due = /Please pay (€[\d.]+) by 15\/01\/2027/.exec(textToAccountant())?.[1] ?? 'no amount'
  await at('2027-01-11T22:00:00Z')
  expect(await rounds()).toEqual([])
  await at('2027-01-12T08:00:00Z')
  expect((await rounds())[0]).toBe('accounts@azahar.example Viajes Azahar: statement azahar-2026-12 is due on 15/01/2027')
  expect(textToAccountant()).toContain(`${due} of statement azahar-2026-12 is still outstanding`)
  await at('2027-01-14T08:00:00Z')
  expect(await rounds()).toEqual([])
  await at('2027-01-21T08:00:00Z')
  expect(await rounds()).toEqual([
    `accounts@azahar.example Viajes Azahar: ${due} is overdue`,
    expect.stringMatching(/^manager@azahar\.example Viajes Azahar: \S+ € vencidos$/),
  ])
  expect(textToAccountant()).toContain(`${due} in all has not been paid. The oldest part was due on 15/01/2027.`)
  expect(await rounds()).toEqual([])
})

test('months overdue at once give one mail to each user, with the whole debt once', async () => {
  const { at, app } = november
  await sellInDecember()
  for (const instant of ['2027-01-01T05:00:00Z', '2027-01-21T08:00:00Z']) {
    await at(instant)
    await rounds()
  }
  // Closed together, as after an outage: all are due in two weeks, and carry December over.
  await at('2027-05-01T05:00:00Z')
  await rounds()
  await at('2027-05-21T08:00:00Z')
  expect(await rounds()).toHaveLength(2)
  expect(textToAccountant()).toMatch(/(€[\d.]+) in all has not been paid\. The oldest part was due on 15\/01\/2027\./)
  const kept = app.world.database.kysely.selectFrom('account_notices').select('subject').where('kind', '=', 'overdue')
  expect(await kept.orderBy('subject').execute()).toEqual(
    ['2026-12', '2027-01', '2027-02', '2027-03', '2027-04'].map(month => ({ subject: `azahar-${month}` })),
  )
})

test('each level of the limit is mailed once, and again after all of it was free', async () => {
  await sellInDecember()
  const { kysely } = november.app.world.database
  const rooms = await kysely.selectFrom('account_headroom').select('cents').execute()
  const used = -rooms.reduce((sum, { cents }) => sum + cents, 0)
  const mailedAt = async (limit: number) => {
    await november.app.world.database.inScope(demoScope('azahar'), tx => setTerms(tx, 'EUR', { limit, liftedUntil: null, netted: true }))
    return (await rounds()).filter(line => line.startsWith('accounts'))
  }
  const level = (percent: number) => [`accounts@azahar.example Viajes Azahar: ${percent}% of the credit limit is used`]
  expect(used).toBeGreaterThan(0)
  expect(await mailedAt(used * 2)).toEqual([])
  expect(await mailedAt(Math.floor(used / 0.85))).toEqual(level(80))
  expect(await mailedAt(Math.floor(used / 0.86))).toEqual([])
  expect(await mailedAt(Math.floor(used / 0.96))).toEqual(level(95))
  expect(await mailedAt(used)).toEqual(level(100))
  expect(await mailedAt(Math.floor(used / 0.96))).toEqual([])
  expect(await mailedAt(used * 2)).toEqual([])
  expect(await mailedAt(used)).toEqual(level(100))
})
