import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { deleteAs, purchaseAs, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { signIn } from '#server/session/testing.ts'

let app: TestApp
let seller: Seller
let sold: string
let budget: string
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  sold = (await sellAs(seller)).body.data.policyData.policyUuid
  budget = (await registerAs(seller, { saveBudget: true, users: [{ name: 'Berta' }] })).body.data.policyUuid
})
afterAll(() => app.stop())

const post = (path: string, body: unknown, headers = seller.headers) => app.ask(path, { body, headers })

describe('the details of a policy', () => {
  it('are complete, and the view is audited', { tags: 'S7.12' }, async () => {
    const { body } = await post('/api/policy/detail', { policyUuid: sold })
    expect(body.data).toMatchObject({
      policy: { policyUuid: sold, status: 'purchased' },
      complete: true,
      roleFirstUser: 1,
      users: [
        { holder: true, traveller: true, name: 'Ana', docNumber: '12345678Z', city: 'Madrid' },
        { holder: false, traveller: true, name: 'Leo', birthDate: '1988-01-01' },
      ],
      price: { total: 33.76, currency: 'EUR', provisional: false },
      payments: [{ gateway: 'Deferred', state: 'settled', amount: 33.76, refunded: 0 }],
      history: [{ what: 'registered', who: 'Lucía Ferrer' }, { what: 'purchased' }],
      files: expect.arrayContaining([expect.objectContaining({ label: 'Certificado de seguro' })]),
    })
    const auditedViews = await app.world.database.kysely.selectFrom('audit').select('object').where('action', '=', 'policy.seen').execute()
    expect(auditedViews.map(({ object }) => object)).toContain(sold)
  })

  it('name the address of the sale’s email, if there is one', async () => {
    const mailTo = async (policyUuid: string) => (await post('/api/policy/detail', { policyUuid })).body.data.mailTo
    await app.world.outbox.drain()
    const { mails } = (await post('/api/policy/detail', { policyUuid: sold })).body.data
    expect(await mailTo(sold)).toBe(mails.at(-1).to)
    expect(await mailTo(budget)).toBeNull()
  })

  it('say whether ages may still change a quote’s price', async () => {
    const { body } = await post('/api/policy/detail', { policyUuid: budget })
    expect(body.data.price.provisional).toBe(true)
  })

  it('are unknown to another unit, and after the deletion', { tags: 'S7.12' }, async () => {
    const rival = await signIn(app, 'agent@rotta.example')
    expect((await post('/api/policy/detail', { policyUuid: sold }, rival.headers)).status).toBe(404)
    const gone = (await registerAs(seller, { saveBudget: true })).body.data.policyUuid
    await deleteAs(seller, gone)
    expect((await post('/api/policy/detail', { policyUuid: gone })).status).toBe(404)
  })
})

describe('an email about a policy', () => {
  const send = (body: object, headers = seller.headers) => post('/api/policy/sendCertificates', body, headers)
  const another = async (): Promise<string> => (await sellAs(seller)).body.data.policyData.policyUuid

  it('is sent once to each address, also for a repeated request', { tags: 'S7.14' }, async () => {
    const headers = { ...seller.headers, 'idempotency-key': 'send-1' }
    const policyUuid = await another()
    const body = { policyUuid, emails: ['one@example.com', 'two@example.com', 'ONE@example.com'], files: [] }
    expect((await send(body, headers)).body.data).toEqual({ queued: 2 })
    expect((await send(body, headers)).body.data).toEqual({ queued: 2 })
    await app.world.outbox.drain()
    const { text_body } = await app.world.database.kysely
      .selectFrom('mails')
      .select('text_body')
      .where('recipient_address', '=', 'two@example.com')
      .executeTakeFirstOrThrow()
    expect(text_body).toContain('+34 900 000 000')
    const { mails, history } = (await post('/api/policy/detail', { policyUuid })).body.data
    expect(mails.filter(({ to }: { to: string }) => to.endsWith('example.com')).length).toBe(2)
    expect(history.at(-1)).toMatchObject({ what: 'sent' })
  })

  it('attaches each of the named files once, or all if none is named', { tags: 'S7.14' }, async () => {
    const policyUuid = await another()
    const { files } = (await post('/api/policy/detail', { policyUuid })).body.data
    expect(files.length).toBeGreaterThan(1)
    const attachedFor = async (to: string, named: string[]) => {
      expect((await send({ policyUuid, emails: [to], files: named })).status).toBe(200)
      const mail = app.world.database.kysely.selectFrom('mails').select('attachments').where('recipient_address', '=', to)
      return (await mail.executeTakeFirstOrThrow()).attachments.map(({ fileId }) => fileId)
    }
    const all = files.map(({ uuid }: { uuid: string }) => uuid)
    expect(await attachedFor('named@example.com', [all[1]])).toEqual([all[1]])
    expect(await attachedFor('twice@example.com', [all[1], all[0].toUpperCase(), all[1]])).toEqual([all[0], all[1]])
    expect(await attachedFor('all@example.com', [])).toEqual(all)
  })

  it('brings the documents of a cancelled policy, and is dropped if that is reinstated', async () => {
    const cancelled = async () => {
      const policyUuid = await another()
      const cancel = { policyUuid, version: 1, expectedRefund: 33.76, reason: 'other' }
      expect((await post('/api/policy/cancel', cancel)).status).toBe(200)
      const to = `${policyUuid}@example.com`
      expect((await send({ policyUuid, emails: [to], files: [] })).body.data).toEqual({ queued: 1 })
      return { policyUuid, to }
    }
    const [stays, back] = [await cancelled(), await cancelled()]
    const reinstated = await post('/api/policy/reinstate', { policyUuid: back.policyUuid, version: 2, expectedCharge: 33.76 })
    expect(reinstated.body.error, reinstated.text).toBeUndefined()
    await app.world.outbox.drain()
    const mailTo = async ({ policyUuid, to }: typeof stays) => {
      const { mails, files } = (await post('/api/policy/detail', { policyUuid })).body.data
      return { mail: mails.find((mail: { to: string }) => mail.to === to), files }
    }
    const { mail, files } = await mailTo(stays)
    const current = files.filter((file: { current: boolean }) => file.current).map(({ name }: { name: string }) => name)
    expect(mail).toMatchObject({ state: 'sent', files: current })
    expect(current.length).toBeLessThan(files.length)
    const { text_body } = await app.world.database.kysely
      .selectFrom('mails')
      .select('text_body')
      .where('recipient_address', '=', stays.to)
      .executeTakeFirstOrThrow()
    expect(text_body).toContain('que no está en vigor desde el')
    expect(text_body).not.toContain('durante el viaje')
    expect((await mailTo(back)).mail.state).toBe('withdrawn')
  })

  it('offers a saved quote while its price holds', async () => {
    expect((await send({ policyUuid: budget, emails: ['client@example.com'] })).body.data).toEqual({ queued: 1 })
    await app.world.outbox.drain()
    const { mails } = (await post('/api/policy/detail', { policyUuid: budget })).body.data
    expect(mails).toMatchObject([{ to: 'client@example.com', state: 'sent', subject: expect.stringContaining('presupuesto') }])
    expect(mails[0].files).toEqual(['Su presupuesto.pdf', expect.stringContaining('IPID'), 'Condiciones generales.pdf'])
  })

  it.each([
    [{ emails: [] }, 422],
    [{ emails: Array.from({ length: 11 }, (_, index) => `a${index}@example.com`) }, 422],
    [{ emails: ['a@example.com\r\nBcc: b@example.com'] }, 422],
    [{ emails: ['a@example.com, b@example.com'] }, 422],
    [{ emails: ['a@example.com'], files: ['0190a000-0000-7000-8000-000000000000'] }, 422],
  ])('is refused for %j', { tags: 'S7.14' }, async (body, status) => {
    expect((await send({ policyUuid: sold, ...body })).status).toBe(status)
  })

  describe('whose saved quote meanwhile', () => {
    const offered = async (): Promise<{ policyUuid: string; purchaseUUID: string; to: string }> => {
      const { policyUuid, purchaseUUID } = (await registerAs(seller, { saveBudget: true })).body.data
      const to = `${policyUuid}@example.com`
      expect((await send({ policyUuid, emails: [to] })).status).toBe(200)
      return { policyUuid, purchaseUUID, to }
    }
    const outcome = async (to: string) => {
      await app.world.outbox.drain()
      const mails = await app.world.database.kysely.selectFrom('mails').selectAll().where('recipient_address', '=', to).execute()
      return mails.map(({ state, text_body }) => [state, text_body !== null])
    }

    it('was sold is dropped as such, and is no failure', async () => {
      const { policyUuid, purchaseUUID, to } = await offered()
      expect((await purchaseAs(seller, { purchaseUUID })).status).toBe(200)
      expect(await outcome(to)).toEqual([['withdrawn', false]])
      const { mails } = (await post('/api/policy/detail', { policyUuid })).body.data
      expect(mails).toContainEqual(
        expect.objectContaining({ to, state: 'withdrawn', reason: null, subject: expect.stringContaining('presupuesto') }),
      )
      const { failedMails } = (await app.ask('/api/policy/day', { headers: seller.headers })).body.data
      expect(failedMails.mails.filter((mail: { to: string }) => mail.to === to)).toEqual([])
      const failed = await app.world.database.kysely.selectFrom('jobs').select('id').where('state', '!=', 'done').execute()
      expect(failed).toEqual([])
      // Runs the job again, as after a worker whose first run was not recorded.
      await app.world.database.kysely.updateTable('jobs').set({ state: 'waiting' }).where('subscriber', '=', 'mail.send').execute()
      expect(await outcome(to)).toEqual([['withdrawn', false]])
    })

    it('is being paid is sent, as the client is to read it before', async () => {
      const { policyUuid, to } = await offered()
      expect((await registerAs(seller, { policyUuid })).body.data.status).toBe('pending')
      expect(await outcome(to)).toEqual([['sent', true]])
    })

    it('was deleted is dropped, but sent after a restore', async () => {
      const [gone, back] = [await offered(), await offered()]
      for (const { policyUuid } of [gone, back]) await deleteAs(seller, policyUuid)
      await post('/api/policy/restore', { policyUuid: back.policyUuid })
      expect(await outcome(gone.to)).toEqual([['withdrawn', false]])
      expect(await outcome(back.to)).toEqual([['sent', true]])
    })

    it('changed while its documents were made is not queued', async () => {
      for (const change of ['sold', 'deleted', 'replaced']) {
        const { policyUuid, purchaseUUID } = (await registerAs(seller, { saveBudget: true })).body.data
        const make = app.documents.make.bind(app.documents)
        const meanwhile = vi.spyOn(app.documents, 'make').mockImplementationOnce(async (...of) => {
          const made = await make(...of)
          if (change === 'sold') await purchaseAs(seller, { purchaseUUID })
          if (change === 'deleted') await deleteAs(seller, policyUuid)
          if (change === 'replaced') await registerAs(seller, { saveBudget: true, policyUuid })
          return made
        })
        const reply = await send({ policyUuid, emails: [`${change}@example.com`] })
        meanwhile.mockRestore()
        expect([reply.status, reply.headers['retry-after']], change).toEqual([409, '1'])
        expect(await outcome(`${change}@example.com`)).toEqual([])
      }
    })
  })

  it('is refused to another unit', async () => {
    const rival = await signIn(app, 'agent@rotta.example')
    expect((await send({ policyUuid: sold, emails: ['a@example.com'] }, rival.headers)).status).toBe(404)
  })
})
