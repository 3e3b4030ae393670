import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import { ana, leo, purchaseAs, reach, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { type CardApp, cardApp, payBy, reconcileLater } from '#server/policies/testing-cards.ts'

let app: CardApp
let mailbox: Mailbox
let seller: Seller
let ahead = 0
beforeAll(async () => {
  mailbox = await openMailbox()
  app = await cardApp({ environment: { SMTP_URL: mailbox.url }, clock: { now: () => new Date(Date.now() + ahead) } })
  seller = await sellerOf(app)
})
beforeEach(() => {
  mailbox.be('take')
})
afterEach(async () => {
  await app.world.outbox.drain()
  app.network.refunds('normal')
})
afterAll(async () => {
  await app.stop()
  await mailbox.close()
})

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const post = async (path: string, body: object, headers = {}) => {
  const reply = await app.ask(`/api/policy/${path}`, { body, headers: { ...seller.headers, ...headers } })
  expect([path, reply.status]).toEqual([path, 200])
  return reply.body.data
}
const sell = async (changes = {}): Promise<string> => (await sellAs(seller, changes)).body.data.policyData.policyUuid
const longer = { change: { endDate: addDays(start, 11) }, expectedDifference: 17.08 }
const change = (policyUuid: string, body: object = {}, headers = {}) =>
  post('change', { policyUuid, version: 1, ...longer, ...body }, headers)
const asking = async (policyUuid: string, users: (people: { personUuid: string }[]) => object[]) => {
  const { policy } = await post('change/terms', { policyUuid })
  const asked = { users: users(policy.people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))) }
  const { difference } = await post('change/preview', { policyUuid, version: policy.version, change: asked })
  return change(policyUuid, { version: policy.version, change: asked, expectedDifference: difference.total })
}

/** The emails about a policy after the jobs ran, the oldest first: template, address, state and names of the attached files. */
async function mails(policyUuid: string) {
  await app.world.outbox.drain()
  const rows = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', policyUuid).orderBy('id').execute()
  return rows.map(({ template, recipient_address: to, state, attachments }) => ({
    template,
    to,
    state,
    files: attachments.map(({ filename }) => filename.replace(/ \d{7}-\w/, '')),
    sizes: attachments.map(({ size }) => size),
  }))
}
/** The newest email that an address received. */
const newestTo = (address: string) =>
  mailbox.received
    .findLast(({ to }) => to.includes(address))
    ?.raw.replaceAll(/=\r?\n/g, '')
    .replaceAll(/=C2=A0/g, ' ') ?? ''
const eva = { name: 'Eva', middleName: 'Gil', lastName: 'Ruiz', birthDate: '1991-02-03', docNumber: '87654321X', ...reach }
const afterSale = async (policyUuid: string) => (await mails(policyUuid)).filter(({ template }) => template !== 'policy_purchased')
/** The emails of one change are written by jobs beside each other, so their order says nothing. */
const inOrder = (mails: unknown[][]): unknown[][] => mails.toSorted((one, other) => (String(one) < String(other) ? -1 : 1))

describe('a change', () => {
  it('is copied to the agency on request, with documents but without the client’s link', async () => {
    const unit = (
      await app.world.database.kysely.selectFrom('business_units').selectAll().where('key', '=', 'azahar').executeTakeFirstOrThrow()
    ).settings
    const keep = (settings: object) =>
      app.world.database.kysely
        .updateTable('business_units')
        .set({ settings: JSON.stringify(settings) })
        .where('key', '=', 'azahar')
        .execute()
    const asked = { ...unit, copiesOfChanges: true }
    await keep({ ...asked, contactInfo: { email: reach.email.toUpperCase(), phone: '' } })
    // The agency has the policyholder's address in another case: one email goes there.
    const once = await sell()
    await change(once)
    expect((await afterSale(once)).map(({ to }) => to)).toEqual([reach.email])
    await keep(asked)
    const id = await sell()
    await change(id)
    const [own, copy, ...more] = inOrder((await afterSale(id)).map(({ template, to, files }) => [to, template, files]))
    await keep(unit)
    expect(more).toEqual([])
    expect(new Set([own?.[0], copy?.[0]])).toEqual(new Set([reach.email, 'hola@azahar.example']))
    expect(copy?.slice(1)).toEqual(own?.slice(1))
    expect(newestTo(reach.email)).toContain('/my-policy#')
    expect(newestTo('hola@azahar.example')).not.toContain('/my-policy')
  })

  it('is mailed to the policyholder once with its documents, also if it is sent again', async () => {
    const id = await sell()
    await mails(id)
    const before = mailbox.received.length
    const key = { 'idempotency-key': crypto.randomUUID() }
    await change(id, {}, key)
    await change(id, {}, key)
    const [mail, ...more] = await afterSale(id)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      template: 'policy_changed',
      to: reach.email,
      state: 'sent',
      files: ['Suplemento de la póliza v2.pdf', 'Certificado de seguro v2.pdf', 'Recibo de prima v2.pdf'],
    })
    expect(mail?.sizes.every(size => size > 5000)).toBe(true)
    const [received, ...rest] = mailbox.received.slice(before)
    expect([received?.to, rest]).toEqual([[reach.email], []])
    expect(received?.raw.match(/application\/pdf/g)).toHaveLength(3)
  })

  it('drops the waiting email with the former certificate, and brings the rest', async () => {
    const id = await sell()
    mailbox.be('refuse-now')
    await mails(id)
    await change(id)
    mailbox.be('take')
    const [sale, changed] = await mails(id)
    expect(sale).toMatchObject({ template: 'policy_purchased', state: 'withdrawn' })
    expect(changed?.files).toEqual([
      'Suplemento de la póliza v2.pdf',
      'Certificado de seguro v2.pdf',
      'Recibo de prima v2.pdf',
      'Recibo de prima.pdf',
      'Documento de información sobre el producto de seguro (IPID).pdf',
      'Condiciones generales.pdf',
    ])
    ahead += 3_600_000
    const { mails: shown } = await post('detail', { policyUuid: id })
    expect(shown.at(-1).subject).toContain('seguro de viaje')
    expect((await mails(id)).map(({ state }) => state)).toEqual(['withdrawn', 'sent'])
  })

  it('made before the sale’s documents leaves their email without the old certificate', async () => {
    const id = await sell()
    await change(id)
    const sale = (await mails(id)).find(({ template }) => template === 'policy_purchased')
    expect(sale?.files).toEqual([
      'Recibo de prima.pdf',
      'Documento de información sobre el producto de seguro (IPID).pdf',
      'Condiciones generales.pdf',
    ])
  })

  it('is mailed to people who join and who leave, with no document', async () => {
    const id = await sell({
      users: [
        { ...ana, ...reach },
        { ...leo, ...reach, email: 'leo@client.example' },
      ],
    })
    await asking(id, ([holder]) => [{ ...holder }, { ...eva, email: 'eva@client.example' }])
    expect(inOrder((await afterSale(id)).map(({ template, to, files }) => [template, to, files.length]))).toEqual(
      inOrder([
        ['policy_changed', reach.email, 2],
        ['policy_joined', 'eva@client.example', 0],
        ['policy_left', 'leo@client.example', 0],
      ]),
    )
  })

  it('is mailed to the old and the new address, with a document to the new one', async () => {
    const id = await sell()
    await mails(id)
    await asking(id, ([holder, other]) => [{ ...holder, email: 'new@client.example', address: 'Calle Nueva 2' }, { ...other }])
    expect(inOrder((await afterSale(id)).map(({ template, to, files }) => [template, to, files]))).toEqual(
      inOrder([
        ['contact_changed', 'new@client.example', ['Certificado de seguro v2.pdf']],
        ['contact_changed', reach.email, []],
      ]),
    )
    // The new one has the link to the policy, too.
    expect(newestTo('new@client.example')).toContain('/my-policy#')
    expect(newestTo(reach.email)).not.toContain('/my-policy#')
  })

  it('that replaces the policyholder is mailed once to the new and the former one', async () => {
    const id = await sell()
    await asking(id, ([, other]) => [{ ...eva, email: 'eva@client.example' }, { ...other }])
    expect(inOrder((await afterSale(id)).map(({ template, to }) => [template, to]))).toEqual(
      inOrder([
        ['policy_changed', 'eva@client.example'],
        ['policy_left', reach.email],
      ]),
    )
    expect(newestTo(reach.email)).toMatch(/ya no le cubre/)
  })

  it('that replaces a policyholder who does not travel tells them so', async () => {
    const id = await sell({ roleFirstUser: 2, paxNumber: 1 })
    await asking(id, ([, other]) => [{ ...eva, email: 'eva@client.example' }, { ...other }])
    expect(inOrder((await afterSale(id)).map(({ template, to }) => [template, to]))).toEqual(
      inOrder([
        ['policy_changed', 'eva@client.example'],
        ['policy_left', reach.email],
      ]),
    )
    expect(newestTo(reach.email)).toMatch(/ya no es el tomador/)
  })

  it('is mailed once to an address that the policyholder and others share', async () => {
    const id = await sell({
      users: [
        { ...ana, ...reach },
        { ...leo, ...reach },
      ],
    })
    await asking(id, ([holder]) => [{ ...holder }, { ...eva }])
    expect((await afterSale(id)).map(({ template, to }) => [template, to])).toEqual([['policy_changed', reach.email]])
  })

  it('that concerns the agency’s reference alone is mailed to no one', async () => {
    const id = await sell()
    await change(id, { change: { buReference: 'Other' }, expectedDifference: 0 })
    expect(await afterSale(id)).toEqual([])
  })
})

describe('an end', () => {
  it('by cancellation is mailed with a confirmation, its undo with a new certificate', async () => {
    const id = await sell()
    await mails(id)
    await post('cancel', { policyUuid: id, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled' })
    await mails(id)
    await post('reinstate', { policyUuid: id, version: 2, expectedCharge: 33.76 })
    expect((await afterSale(id)).map(({ template, files }) => [template, files])).toEqual([
      ['policy_cancelled', ['Confirmación de la anulación de la póliza v2.pdf', 'Recibo de extorno v2.pdf']],
      ['policy_reinstated', ['Certificado de seguro v3.pdf', 'Recibo de prima v3.pdf']],
    ])
  })

  it('by withdrawal has its receipt in the queue with the step itself, before any job', async () => {
    const id = await sell({
      productUUID: seller.products.find(({ code }) => code === 'STU').uuid,
      users: [{ ...ana, ...reach }],
      paxNumber: 1,
      endDate: addDays(start, 90),
      channel: 'distance',
    })
    await mails(id)
    const { refund } = await post('cancel/preview', { policyUuid: id, version: 1, as: 'withdrawal' })
    await post('cancel', { policyUuid: id, version: 1, expectedRefund: refund, as: 'withdrawal' })
    const jobs = await app.world.database.kysely
      .selectFrom('jobs')
      .select('subscriber')
      .where('state', '=', 'waiting')
      .orderBy('id')
      .execute()
    expect(jobs.map(({ subscriber }) => subscriber).toSorted()).toEqual(['mail.send', 'policies.changed'])
    expect((await afterSale(id)).map(({ template, files }) => [template, files])).toEqual([
      ['policy_withdrawn', ['Acuse de recibo del desistimiento v2.pdf', 'Recibo de extorno v2.pdf']],
    ])
    const raw = mailbox.received.at(-1)?.raw ?? ''
    expect(raw).toMatch(/desiste del contrato/)
  })
})

describe('a refund by card', () => {
  async function soldByCard(): Promise<string> {
    const sale = (await registerAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2') })).body.data
    await payBy(app, sale.clientSecret)
    await purchaseAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2'), purchaseUUID: sale.purchaseUUID })
    await mails(sale.policyUuid)
    return sale.policyUuid
  }
  async function cancelledByCard(): Promise<string> {
    const policyUuid = await soldByCard()
    await post('cancel', { policyUuid, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled' })
    return policyUuid
  }
  const templates = async (id: string) => (await afterSale(id)).map(({ template }) => template)

  it('is mailed once when it has left', async () => {
    const id = await cancelledByCard()
    await reconcileLater(app, 61)
    await reconcileLater(app, 70)
    expect(await templates(id)).toEqual(['policy_cancelled', 'refund_sent'])
  })

  it('that fails is mailed with the next steps', async () => {
    const id = await cancelledByCard()
    app.network.refunds('refused')
    await reconcileLater(app, 61)
    expect(await templates(id)).toEqual(['policy_cancelled', 'refund_failed'])
  })

  it('is reported as stopped by an undo, and not as an unchanged price', async () => {
    const id = await soldByCard()
    await change(id, { change: { endDate: addDays(start, 4) }, expectedDifference: -8.22 })
    await mails(id)
    expect(newestTo(reach.email)).toMatch(/Se le devuelven 8,22/)
    await post('change/undo', { policyUuid: id, version: 2 })
    await mails(id)
    expect(newestTo(reach.email)).toMatch(/anterior de 8,22 \S+ se ha detenido/)
    expect(newestTo(reach.email)).not.toMatch(/El precio no cambia/)
  })

  it('is reported as stopped by a reinstatement, or as charged again once it has left', async () => {
    const id = await cancelledByCard()
    await post('reinstate', { policyUuid: id, version: 2, expectedCharge: 0 })
    await mails(id)
    expect(newestTo(reach.email)).toMatch(/anterior de 33,76 \S+ se ha detenido/)
    const other = await cancelledByCard()
    await reconcileLater(app, 61)
    const settle = { paymentGatewayUUID: seller.gateway('Deferred') }
    await post('reinstate', { policyUuid: other, version: 2, expectedCharge: 33.76, settle })
    await mails(other)
    expect(newestTo(reach.email)).toMatch(/cobrado de nuevo 33,76/)
  })
})
