import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { queueMail } from '#server/mail/queries.ts'
import { scopeOf } from '#server/session/scope.ts'
import { admin, auditOf } from '../testing.ts'
import { runJobCommand } from './run-job-command.ts'

let app: TestApp
let mailbox: Mailbox
let ask: Awaited<ReturnType<typeof admin>>
beforeEach(async () => {
  mailbox = await openMailbox()
  app = await testApp({ SMTP_URL: mailbox.url, PUBLIC_URL: 'http://portal.example' })
  ask = await admin(app)
})
afterEach(async () => {
  await app.stop()
  await mailbox.close()
})

const azahar = stableId('business-unit', 'azahar')
const rotta = stableId('business-unit', 'rotta')

/** Queues a mail that the mail server refuses for good. */
async function refused(address: string, unit = azahar): Promise<void> {
  const scope = scopeOf(unit)
  mailbox.be('refuse-for-good')
  await app.world.database.inScope(scope, tx =>
    queueMail(app.world, tx, {
      to: { name: 'Ana', address },
      template: 'invitation',
      locale: 'es-ES',
      params: { name: 'Ana' },
    }),
  )
  await app.world.outbox.drain()
  mailbox.be('take')
}

const mails = async (body: object = {}) => (await ask.post('mails/list', body)).body.data
const jobs = async (body: object = {}) => (await ask.post('jobs/list', body)).body.data
const received = (address: string) => mailbox.received.filter(({ to }) => to.includes(address)).length

describe('a refused mail', () => {
  test('shows with its reason, by unit, and the view is audited', async () => {
    await refused('one@client.example')
    await refused('uno@client.example', rotta)
    const { total, mails: shown } = await mails({ businessUnitUuid: azahar })
    expect(total).toBe(1)
    expect(shown).toMatchObject([
      { recipientAddress: 'one@client.example', state: 'refused', reason: expect.stringMatching(/\d{3}/), businessUnit: { uuid: azahar } },
    ])
    expect((await mails()).total).toBe(2)
    expect((await auditOf(app, 'mails_listed'))[0]).toMatchObject({ business_unit_id: azahar, details: { state: 'refused', total: 1 } })
    expect((await ask.get('overview')).body.data).toMatchObject({ mailsRefused: 2, jobsFailed: 2, units: 2, users: 8 })
  })

  test('is sent again once, by its own job', async () => {
    await refused('two@client.example')
    const [{ uuid }] = (await mails()).mails
    const replies = await Promise.all([ask.post('mails/retry', { uuids: [uuid] }), ask.post('mails/retry', { uuids: [uuid] })])
    expect(replies.map(({ body }) => body.data.retried).toSorted((a, b) => a - b)).toEqual([0, 1])
    expect((await mails({ state: 'queued' })).mails).toMatchObject([{ uuid }])
    await app.world.outbox.drain()
    expect(received('two@client.example')).toBe(1)
    expect((await mails({ state: 'sent' })).mails).toMatchObject([{ uuid }])
    expect((await auditOf(app, 'mail_retried')).at(-1)).toMatchObject({ object: uuid, business_unit_id: azahar })
  })

  test('is sent again by a new job if its own was deleted', async () => {
    await refused('three@client.example')
    const [{ uuid }] = (await mails()).mails
    await app.world.database.kysely.deleteFrom('jobs').where('state', '=', 'failed').execute()
    expect((await ask.post('mails/retry', { uuids: [uuid, azahar] })).body.data).toEqual({ retried: 1, left: 1 })
    await app.world.outbox.drain()
    expect(received('three@client.example')).toBe(1)
  })
})

describe('a failed job', () => {
  test('is retried at once, together with its mail', async () => {
    await refused('four@client.example')
    const { jobs: shown } = await jobs()
    expect(shown[0]).toMatchObject({ subscriber: 'mail.send', state: 'failed', attempts: 1, lastError: expect.any(String) })
    expect(JSON.stringify(shown)).not.toContain('client.example"')
    const { uuid } = shown[0]
    expect((await ask.post('jobs/retry', { uuids: [uuid] })).body.data).toEqual({ retried: 1, left: 0 })
    expect((await jobs({ state: 'waiting' })).jobs).toMatchObject([{ uuid, attempts: 0 }])
    expect((await mails({ state: 'queued' })).total).toBe(1)
    await app.world.outbox.drain()
    expect(received('four@client.example')).toBe(1)
    expect((await auditOf(app, 'job_retried')).at(-1)).toMatchObject({ object: uuid, details: { subscriber: 'mail.send' } })
    expect((await ask.post('jobs/retry', { uuids: [uuid] })).body.data).toEqual({ retried: 0, left: 1 })
  })

  test('is retried by id, within the limit', async () => {
    for (const uuids of [[], ['x'], Array.from({ length: 101 }, () => azahar)])
      for (const list of ['jobs', 'mails']) expect((await ask.post(`${list}/retry`, { uuids })).status).toBe(422)
  })
})

describe('all failed jobs', () => {
  const failed = async () => (await jobs()).total

  test('are retried for one unit, then for all, with an audit entry per unit and batch', async () => {
    await refused('five@client.example')
    await refused('cinque@client.example', rotta)
    const before = await failed()
    expect((await ask.post('jobs/retry-all', { businessUnitUuid: rotta })).body.data.retried).toBeGreaterThan(0)
    expect((await jobs({ businessUnitUuid: rotta })).total).toBe(0)
    const { retried } = (await ask.post('jobs/retry-all')).body.data
    expect([retried < before, await failed()]).toEqual([true, 0])
    expect((await auditOf(app, 'jobs_retried')).map(({ business_unit_id, details }) => [business_unit_id, details])).toEqual([
      [rotta, { retried: before - retried }],
      [azahar, { retried }],
    ])
    const queued = (await mails({ state: 'queued' })).mails.map((mail: { recipientAddress: string }) => mail.recipientAddress)
    expect(queued).toEqual(expect.arrayContaining(['five@client.example', 'cinque@client.example']))
    await app.world.outbox.drain()
    expect([received('five@client.example'), received('cinque@client.example')]).toEqual([1, 1])
    expect((await ask.post('jobs/retry-all')).body.data).toEqual({ retried: 0 })
  })

  test('are each put back once when they fill several batches', async () => {
    await app.world.database.kysely
      .insertInto('jobs')
      .columns(['business_unit_id', 'id', 'topic', 'subscriber', 'payload', 'state', 'run_at', 'created_at', 'finished_at'])
      .expression(
        sql`select ${azahar}::uuid, gen_random_uuid(), 'test.many', 'test.many', '{}', 'failed', now(), now() - (n / 700) * interval '1 second', now()
          from generate_series(1, 1700) as n`,
      )
      .execute()
    expect((await ask.post('jobs/retry-all')).body.data).toEqual({ retried: 1700 })
    expect((await jobs({ state: 'waiting' })).total).toBe(1700)
    expect((await auditOf(app, 'jobs_retried')).map(({ details }) => details)).toEqual([500, 500, 500, 200].map(retried => ({ retried })))
  })

  test('except those that failed again are put back', async () => {
    const { kysely } = app.world.database
    await kysely
      .insertInto('jobs')
      .columns(['business_unit_id', 'id', 'topic', 'subscriber', 'payload', 'state', 'run_at', 'created_at', 'finished_at'])
      .expression(
        sql`select ${azahar}::uuid, gen_random_uuid(), 'test.again', 'test.again', '{}', 'failed', now(), now(), now() + n * interval '1 hour'
          from unnest(array[-1, 1]) as n`,
      )
      .execute()
    expect([(await ask.post('jobs/retry-all')).body.data, await failed()]).toEqual([{ retried: 1 }, 1])
  })
})

describe('the jobs command', () => {
  test('holds, releases, lists and retries jobs', async () => {
    await refused('six@client.example')
    const { createdAt } = (await jobs()).jobs[0]
    expect(await runJobCommand(app.world, 'status')).toEqual(['Jobs are not held.', `mail.send: 1 failed, the oldest of ${createdAt}`])
    expect(await runJobCommand(app.world, 'hold')).toEqual(['All jobs are held. Release them with: npm run jobs -- release'])
    expect(await runJobCommand(app.world, 'retry')).toEqual(['1 failed jobs are tried again.'])
    expect(await app.world.outbox.drain()).toBe(0)
    expect(await runJobCommand(app.world, 'status')).toEqual([
      expect.stringMatching(/^Jobs are held since \d{4}-/),
      `mail.send: 1 waiting, the oldest of ${createdAt}`,
    ])
    expect(await runJobCommand(app.world, 'release')).toEqual(['All jobs are released.'])
    expect(await runJobCommand(app.world, 'release')).toEqual(['No jobs were held.'])
    await app.world.outbox.drain()
    expect(received('six@client.example')).toBe(1)
    for (const action of ['jobs_held', 'jobs_released'])
      expect((await auditOf(app, action)).map(({ user_agent }) => user_agent)).toEqual([expect.stringContaining('npm run jobs')])
  })
})
