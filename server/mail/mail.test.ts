import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '#doubles/mailbox.ts'
import { locales } from '#common/kit/locales.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { begin, signIn } from '#server/session/testing.ts'
import { isOneAddress, oneLine } from './address.ts'
import { type Mail, queueMail } from './queue.ts'

let app: TestApp
let mailbox: Mailbox
let scope: Scope
let now: Date

beforeAll(async () => {
  mailbox = await openMailbox()
})
afterAll(() => mailbox.close())
beforeEach(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  mailbox.be('take')
  mailbox.received.length = 0
  app = await testApp({ SMTP_URL: mailbox.url, PUBLIC_URL: 'http://portal.example' }, { clock: { now: () => now } })
  const unit = await app.world.database.kysely
    .selectFrom('business_units')
    .select('id')
    .where('key', '=', 'azahar')
    .executeTakeFirstOrThrow()
  scope = { businessUnitId: unit.id } as never
})
afterEach(() => app.stop())

const invitation = (to: Mail['to'], locale: Mail['locale'] = 'es-ES'): Mail => ({
  to,
  template: 'invitation',
  locale,
  params: { name: to.name, link: 'http://portal.example/auth/reset#token=x', minutes: 30 },
})
const queue = (mail: Mail) => app.world.database.inScope(scope, tx => queueMail(app.world, tx, scope, mail))
const state = async () => await app.world.database.kysely.selectFrom('mails').select(['state', 'reason']).executeTakeFirstOrThrow()
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

describe('by SMTP', () => {
  test('one message for one recipient, as text and as HTML, in his language and the unit’s brand', async () => {
    await queue(invitation({ name: 'Íñigo "Pepe" García', address: 'inigo@client.example' }))
    await app.world.outbox.drain()
    expect(mailbox.received).toHaveLength(1)
    const [mail] = mailbox.received
    expect(mail?.to).toEqual(['inigo@client.example'])
    expect(mail?.raw).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(mail?.raw).toMatch(/^Subject: Su acceso a Viajes Azahar$/m)
    expect(await state()).toEqual({ state: 'sent', reason: null })
  })

  test('refused for now: tried again, and then it arrives', async () => {
    mailbox.be('refuse-now')
    await queue(invitation({ name: 'Ana', address: 'ana@client.example' }))
    await app.world.outbox.drain()
    expect(await state()).toMatchObject({ state: 'queued', reason: expect.stringContaining('try again later') })
    mailbox.be('take')
    later(6)
    await app.world.outbox.drain()
    expect(mailbox.received).toHaveLength(1)
    expect(await state()).toEqual({ state: 'sent', reason: null })
  })

  test.each(['refuse-for-good', 'refuse-recipient'] as const)('%s: stops and shows why', async mood => {
    mailbox.be(mood)
    await queue(invitation({ name: 'Ana', address: 'ana@client.example' }))
    await app.world.outbox.drain()
    expect((await state()).state).toBe('refused')
    later(86_400)
    expect(await app.world.outbox.drain()).toBe(0)
  })

  test('taken, but the line was lost: tried again with the same Message-ID', async () => {
    mailbox.be('drop-after-data')
    await queue(invitation({ name: 'Ana', address: 'ana@client.example' }))
    await app.world.outbox.drain()
    mailbox.be('take')
    later(6)
    await app.world.outbox.drain()
    const ids = mailbox.received.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1]?.trim())
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  test('nobody listening: tried again', async () => {
    const silent = await testApp({ SMTP_URL: 'smtp://127.0.0.1:1' })
    const unit = await silent.world.database.kysely
      .selectFrom('business_units')
      .select('id')
      .where('key', '=', 'azahar')
      .executeTakeFirstOrThrow()
    const there = { businessUnitId: unit.id } as never
    await silent.world.database.inScope(there, tx =>
      queueMail(silent.world, tx, there, invitation({ name: 'Ana', address: 'ana@client.example' })),
    )
    await silent.world.outbox.drain()
    const job = await silent.world.database.kysely.selectFrom('jobs').select(['state', 'attempts']).executeTakeFirstOrThrow()
    expect(job).toEqual({ state: 'waiting', attempts: 1 })
    await silent.stop()
  })
})

describe('what a hostile text can do', () => {
  // attack case D58: what a careless mailer delivers to somebody else
  test.each([
    'a@x.test\r\nBcc: e@e.test',
    'a@x.test, e@e.test',
    'g:e1@e.test,e2@e.test;',
    'Ana <a@x.test>',
    '"a b"@x.test',
    'a@x',
    'a@@x.test',
    'a@x.test\u0000',
    '',
    'a@x.test ',
    `${'a'.repeat(65)}@x.test`,
  ])('%j is not one address', async address => {
    expect(isOneAddress(address)).toBe(false)
    await expect(queue(invitation({ name: 'Ana', address }))).rejects.toThrow('one plain address')
  })

  test('D56, D59: names and subjects stay one line, escaped and in their order', async () => {
    await queue(invitation({ name: '<script>alert(1)</script>\r\nBcc: e@e.test\u202E', address: 'ana@client.example' }))
    await app.world.outbox.drain()
    const [kept] = await app.world.database.kysely.selectFrom('mails').selectAll().execute()
    expect(kept?.html_body).not.toContain('<script>')
    expect(kept?.html_body).not.toContain('\u202E')
    expect(mailbox.received[0]?.to).toEqual(['ana@client.example'])
    expect(mailbox.received[0]?.raw).not.toMatch(/^Bcc:/im)
  })

  test('whatever text, one line', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => !/[\r\n\u0000-\u001f\u202a-\u202e]/.test(oneLine(text))))
  })
})

test.each(locales)('every mail can be written in %s', async locale => {
  await queue(invitation({ name: 'Ana', address: 'ana@client.example' }, locale))
  await app.world.outbox.drain()
  const [kept] = await app.world.database.kysely.selectFrom('mails').selectAll().execute()
  expect(kept?.subject).toContain('Viajes Azahar')
  expect(kept?.text_body).toContain('http://portal.example/auth/reset#token=x')
  expect(kept?.text_body).not.toMatch(/[{}]/)
})

describe('a forgotten password', () => {
  const linkOf = async () => {
    await app.world.outbox.drain()
    const rows = await app.world.database.kysely.selectFrom('mails').select('text_body').orderBy('at').execute()
    return /#token=([\w-]+)/.exec(rows.at(-1)?.text_body ?? '')?.[1] ?? ''
  }
  const reset = async (token: string, password: string) => (await app.ask('/api/auth/password/reset', { body: { token, password } })).status

  test('the link works once, within half an hour, and ends every session', async () => {
    const { headers } = await signIn(app, 'agent@azahar.example')
    await app.ask('/api/auth/password/forgot', { body: { email: 'Agent@Azahar.example' }, headers: { 'accept-language': 'fr' } })
    const token = await linkOf()
    expect(mailbox.received[0]?.to).toEqual(['agent@azahar.example'])
    expect(await reset(token, 'short')).toBe(422)
    expect(await reset(token, 'a much better one')).toBe(200)
    expect((await app.ask('/api/users/me', { headers })).status).toBe(401)
    expect(await reset(token, 'yet another one')).toBe(401)
    expect((await begin(app, 'agent@azahar.example')).reply.status).toBe(401)
    expect((await begin(app, 'agent@azahar.example', 'a much better one')).reply.status).toBe(200)
  })

  test('after half an hour the link is dead', async () => {
    await app.ask('/api/auth/password/forgot', { body: { email: 'agent@azahar.example' } })
    const token = await linkOf()
    later(1801)
    expect(await reset(token, 'a much better one')).toBe(401)
  })

  test('no job holds a link', async () => {
    await app.ask('/api/auth/password/forgot', { body: { email: 'agent@azahar.example' } })
    const token = await linkOf()
    const jobs = await app.world.database.kysely.selectFrom('jobs').selectAll().execute()
    expect(JSON.stringify(jobs)).not.toContain(token)
  })
})

test('the demo’s outbox is shown here and nowhere else', async () => {
  await queue(invitation({ name: 'Ana', address: 'ana@client.example' }))
  await app.world.outbox.drain()
  const here = await app.ask('/dev/mail.json')
  expect(here.body).toEqual([
    { to: 'ana@client.example', subject: 'Su acceso a Viajes Azahar', text: expect.any(String), html: expect.any(String), attachments: [] },
  ])
  expect((await app.ask('/dev/mail')).text).toContain('ana@client.example')
  expect((await app.ask('/dev/mail.json', { remoteAddress: '203.0.113.5' })).status).toBe(404)
})
