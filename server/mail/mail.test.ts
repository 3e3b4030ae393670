import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '#common/kit/refusals.ts'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import type { ReadFile } from '#server/documents/public.ts'
import type { Job } from '#server/kit/work/outbox.ts'
import type { Scope } from '#server/kit/scope.ts'
import { Outage } from '#server/kit/store/outage.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { begin, demoScope, signIn } from '#server/session/testing.ts'
import { type Mail, queueMail } from './queries.ts'
import { sendMail } from './send.ts'
import { openTransport } from './transport.ts'

const scope = demoScope('azahar')
let app: TestApp
let mailbox: Mailbox
let agent: string
let now: Date

beforeAll(async () => {
  mailbox = await openMailbox()
})
afterAll(() => mailbox.close())
afterEach(() => app.stop())

async function open(environment: Record<string, string>): Promise<void> {
  now = new Date('2026-11-20T10:00:00Z')
  mailbox.be('take')
  mailbox.received.length = 0
  app = await testApp({ PUBLIC_URL: 'http://portal.example', ...environment }, { clock: { now: () => now } })
  const { kysely } = app.world.database
  const user = await kysely.selectFrom('users').select('id').where('email', '=', 'agent@azahar.example').executeTakeFirstOrThrow()
  agent = user.id
}

const queue = (more: Partial<Mail> = {}) =>
  app.world.database.inScope(scope, tx =>
    queueMail(app.world, tx, {
      to: { name: 'Ana', address: 'ana@client.example' },
      template: 'invitation',
      locale: 'es-ES',
      params: { name: 'Ana' },
      passwordOf: agent,
      ...more,
    }),
  )
const rows = () => app.world.database.kysely.selectFrom('mails').selectAll().orderBy('at').execute()
const state = async () => (await rows()).map(({ state, reason }) => [state, reason])[0]
const drain = () => app.world.outbox.drain()
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

describe('an email sent by SMTP', () => {
  beforeEach(() => open({ SMTP_URL: mailbox.url }))

  test('leaves once, and only its outcome is stored', async () => {
    await queue()
    await drain()
    expect(mailbox.received.map(({ to }) => to)).toEqual([['ana@client.example']])
    expect(mailbox.received[0]?.raw).toMatch(/^Subject: Su acceso a Viajes Azahar\r$/m)
    const [mail] = await rows()
    expect(mail).toMatchObject({ state: 'sent', reason: null, finished_at: now, subject: 'Su acceso a Viajes Azahar', text_body: null })
    expect(JSON.stringify(mail)).not.toContain('token=')
  })

  test('is not written if its transaction is rolled back', async () => {
    const rolledBack = app.world.database.inScope(scope, async tx => {
      const to = { name: 'Ana', address: 'ana@client.example' }
      await queueMail(app.world, tx, { to, template: 'invitation', locale: 'es-ES', params: { name: 'Ana' }, passwordOf: agent })
      throw new Error('undone')
    })
    await expect(rolledBack).rejects.toThrow('undone')
    expect(await drain()).toBe(0)
    expect(await rows()).toEqual([])
  })

  test('is retried after a temporary refusal', async () => {
    mailbox.be('refuse-now')
    await queue()
    await drain()
    expect(await state()).toEqual(['queued', expect.stringContaining('try again later')])
    mailbox.be('take')
    later(5)
    await drain()
    expect(mailbox.received).toHaveLength(1)
    expect(await state()).toEqual(['sent', null])
  })

  test('is given up after a permanent refusal, with its reason', async () => {
    mailbox.be('refuse-recipient')
    await queue()
    await drain()
    expect(await state()).toEqual(['refused', expect.stringContaining('no such mailbox here')])
    later(86_400)
    expect(await drain()).toBe(0)
  })

  test('is given up after three days of temporary refusals, with the reason', async () => {
    mailbox.be('refuse-now')
    await queue()
    for (let hours = 0; hours <= 72; hours += 4) {
      await drain()
      later(4 * 3600)
    }
    expect(await state()).toEqual(['refused', expect.stringContaining('try again later')])
  })

  test('is retried with the same Message-ID when the connection broke after its transfer', async () => {
    mailbox.be('drop-after-data')
    await queue()
    await drain()
    mailbox.be('take')
    later(5)
    await drain()
    const ids = mailbox.received.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw)?.[1])
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBe(ids[1])
  })

  test('is not sent again when its job runs again', async () => {
    await queue()
    await drain()
    await app.world.database.kysely.updateTable('jobs').set({ state: 'running', run_at: now }).execute()
    expect(await drain()).toBe(1)
    expect(mailbox.received).toHaveLength(1)
    expect(await state()).toEqual(['sent', null])
    expect(await app.world.database.kysely.selectFrom('jobs').select('state').execute()).toEqual([{ state: 'done' }])
  })

  test('leaves the database connection free while the server is slow', async () => {
    mailbox.be('say-nothing')
    const id = await queue()
    const sending = sendMail({
      world: app.world,
      transport: openTransport({ ...app.world.config, SMTP_URL: mailbox.url }, 300),
      readFile: () => Promise.reject(new Error('nothing is attached')),
    })(jobOf(id))
    expect((await app.ask('/health/live')).status).toBe(200)
    expect((await rows())[0]?.state).toBe('queued')
    await expect(sending).rejects.toThrow()
  })

  test('gets its attached files when it leaves', async () => {
    const file = { filename: 'Póliza\r\nBcc: e@e.test.pdf', contentType: 'application/pdf', size: 8, fileId: fileIds.policy }
    const id = await queue({ attachments: [file] })
    const read = async (unitScope: Scope, fileId: string) =>
      Buffer.from(`${fileId} of ${unitScope.businessUnitId === scope.businessUnitId}`)
    await deliver(jobOf(id), read)
    expect(mailbox.received[0]?.raw).toContain(Buffer.from(`${fileIds.policy} of true`).toString('base64'))
    expect(mailbox.received[0]?.raw).not.toMatch(/^Bcc:/m)
  })

  test('waits three hours for a lost file, then leaves without it and says so', async () => {
    const attached = { filename: 'Póliza.pdf', contentType: 'application/pdf', size: 8, fileId: fileIds.policy }
    const id = await queue({ attachments: [{ ...attached, filename: 'Factura.pdf', fileId: fileIds.lost }, attached] })
    const read = (_: Scope, fileId: string) =>
      fileId === fileIds.lost ? Promise.reject(new Refusal('file.lost')) : Promise.resolve(Buffer.from('the policies'))
    const job = jobOf(id)
    const send = () => deliver(job, read)
    await expect(send()).rejects.toThrow('file.lost')
    later(2 * 3600)
    await expect(send()).rejects.toThrow('file.lost')
    expect(await state()).toEqual(['queued', 'file.lost'])
    later(3600)
    await send()
    expect(await state()).toEqual(['sent', null])
    const raw = (mailbox.received[0]?.raw ?? '').replaceAll('=\r\n', '')
    expect(raw).toContain('No hemos podido adjuntar Factura.pdf')
    expect(raw).toContain(Buffer.from('the policies').toString('base64'))
    expect(mailbox.received).toHaveLength(1)
  })

  test('waits with all its files during an outage of the file store', async () => {
    const id = await queue({ attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', size: 8, fileId: fileIds.policy }] })
    const job = jobOf(id)
    later(86_400)
    const sending = deliver(job, () => Promise.reject(new Outage('down')))
    await expect(sending).rejects.toThrow('down')
    expect(mailbox.received).toHaveLength(0)
  })

  test('is refused before it is written if its address is invalid', async () => {
    await expect(queue({ to: { name: 'Ana', address: 'a@x.test\r\nBcc: e@e.test' } })).rejects.toThrow('one plain address')
    expect(await rows()).toEqual([])
  })
})

/** Files whose rows are unknown, as those of previews. */
const fileIds = { policy: '0b4e2f0a-52b8-4c3f-8a3e-6d3f6a0c1f11', lost: '0b4e2f0a-52b8-4c3f-8a3e-6d3f6a0c1f12' }

/** Sends the email of a job, as the outbox does. */
async function deliver(job: Job, read: ReadFile): Promise<void> {
  const complete = await sendMail({ world: app.world, transport: openTransport(app.world.config), readFile: read })(job)
  await app.world.database.asService(async tx => complete?.(tx))
}

const jobOf = (mailId: string): Job => ({
  id: mailId,
  businessUnitId: scope.businessUnitId,
  topic: 'mail.written',
  payload: { mailId },
  attempts: 1,
  createdAt: now,
})

describe('a link to choose a password', () => {
  beforeEach(() => open({}))

  const forget = (email = 'agent@azahar.example') =>
    app.ask('/api/auth/password/forgot', { body: { email }, headers: { 'accept-language': 'fr' } })
  const tokens = async () => {
    await drain()
    return (await rows()).flatMap(
      ({ text_body }) => /http:\/\/portal\.example\/auth\/reset#token=([\w-]+)/.exec(text_body ?? '')?.[1] ?? [],
    )
  }
  const reset = async (token = '', password = 'a much better one') =>
    (await app.ask('/api/auth/password/reset', { body: { token, password } })).status

  test('works once, and ends every session', async () => {
    const { headers } = await signIn(app, 'agent@azahar.example')
    await forget('Agent@Azahar.example')
    const [token] = await tokens()
    expect((await rows())[0]).toMatchObject({
      recipient_address: 'agent@azahar.example',
      subject: 'Choisissez un nouveau mot de passe pour Viajes Azahar',
    })
    expect(await reset(token, 'short')).toBe(422)
    expect(await reset(token)).toBe(200)
    expect((await app.ask('/api/users/me', { headers })).status).toBe(401)
    expect(await reset(token, 'yet another one')).toBe(401)
    expect((await begin(app, 'agent@azahar.example')).reply.status).toBe(401)
    expect((await begin(app, 'agent@azahar.example', 'a much better one')).reply.status).toBe(200)
  })

  test('is valid for half an hour after the email leaves; an invitation’s for three days', async () => {
    await forget()
    later(3600)
    const [first] = await tokens()
    later(1799)
    expect(await reset(first)).toBe(200)
    await forget()
    const second = (await tokens())[1]
    later(1801)
    expect(await reset(second)).toBe(401)
    await queue()
    const third = (await tokens())[2]
    later(3 * 86_400 - 1)
    expect(await reset(third)).toBe(200)
  })

  test('is sent five times an hour at most', async () => {
    for (let requests = 0; requests < 7; requests++) await forget()
    expect(await tokens()).toHaveLength(5)
    later(3000)
    await forget()
    expect(await tokens()).toHaveLength(5)
    later(601)
    await forget()
    expect(await tokens()).toHaveLength(6)
  })

  test('is stored in no job, and sent once per request', async () => {
    await forget()
    const [token] = await tokens()
    expect(token).toBeDefined()
    const jobs = app.world.database.kysely
    expect(JSON.stringify(await jobs.selectFrom('jobs').selectAll().execute())).not.toContain(token)
    await jobs.updateTable('jobs').set({ state: 'waiting' }).execute()
    await drain()
    expect(await rows()).toHaveLength(1)
  })

  test('is not sent to a user who was deactivated', async () => {
    await queue()
    await app.world.database.kysely.updateTable('users').set({ active: false }).where('id', '=', agent).execute()
    await drain()
    expect(await state()).toEqual(['refused', 'the user is gone'])
  })
})

describe('the development mailbox', () => {
  test('is served to this machine only', async () => {
    await open({})
    await queue({ attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', size: 8, fileId: crypto.randomUUID() }] })
    await drain()
    expect(await state()).toEqual(['queued', 'file.lost'])
    const here = await app.ask('/dev/mail.json')
    expect(here.body).toEqual([
      {
        to: 'ana@client.example',
        subject: 'Su acceso a Viajes Azahar',
        text: expect.stringContaining('Hola, Ana:'),
        html: expect.stringContaining('<html lang="es-ES">'),
        attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', size: 8 }],
      },
    ])
    const page = await app.ask('/dev/mail')
    expect(page.text).toContain('<p>ana@client.example</p>')
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'/)
    for (const path of ['/dev/mail.json', '/dev/mail']) {
      expect((await app.ask(path, { remoteAddress: '203.0.113.5' })).status).toBe(404)
      expect((await app.ask(path, { headers: { 'x-forwarded-for': '203.0.113.5' } })).status).toBe(404)
    }
  })

  test('does not exist in production', async () => {
    await open({ NODE_ENV: 'production', PUBLIC_URL: 'https://portal.example', MAIL_FROM: 'no-reply@portal.test', SMTP_URL: mailbox.url })
    expect((await app.ask('/dev/mail.json')).status).toBe(404)
    expect((await app.ask('/dev/mail')).status).toBe(404)
  })
})
