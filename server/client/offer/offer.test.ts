import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import { expireOffers } from '#server/changes/payment/abandon.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { reconcile } from '#server/policies/payment/reconcile.ts'
import { authenticate, type CardApp, cardApp, intentOf, payBy, receiveWebhooks } from '#server/policies/testing-cards.ts'
import { reach, type Seller, sellerOf } from '#server/policies/testing.ts'
import { signIn } from '#server/session/testing.ts'
import { askClient, sellTo, tokenFor } from '../testing.ts'

let app: CardApp
let seller: Seller
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }
beforeAll(async () => {
  app = await cardApp({ clock })
  seller = await sellerOf(app)
})
afterEach(async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const email = 'ana@example.es'
const longer = { change: { endDate: addDays(start, 11) }, expectedDifference: 17.08 }
const post = (path: string, body: object, headers = {}) =>
  app.ask(`/api/policy/${path}`, { body, headers: { ...seller.headers, ...headers } })
const terms = async (policyUuid: string) => (await post('change/terms', { policyUuid })).body.data
const stands = async (policyUuid: string) => {
  const { policy, openChange } = await terms(policyUuid)
  return [policy.version, policy.charged.total, openChange?.state ?? null]
}
const untouched = [1, 3376, null]
const made = [2, 5084, null]
const events = async (policyUuid: string): Promise<string[]> =>
  (await post('detail', { policyUuid })).body.data.history.map(({ what }: { what: string }) => what).slice(2)
const paymentsOf = async (policyUuid: string): Promise<unknown[]> =>
  (await post('detail', { policyUuid })).body.data.payments.map(
    ({ amount, state, refunded }: { amount: number; state: string; refunded: number }) => [amount, state, refunded],
  )

/** Offers four more days to the client of a new policy, and opens the link of the mail. */
async function offer({ to = { email }, headers = {} }: { to?: { email: string; locale?: string }; headers?: object } = {}) {
  const { policyUuid } = await sellTo(app, seller)
  const asked = await post('change', { policyUuid, version: 1, ...longer, settle: { offer: to } }, headers)
  const token = await tokenFor(app, policyUuid, to.email)
  return { id: policyUuid, asked, token, changeUuid: String(asked.body.data?.changeUuid), until: String(asked.body.data?.until) }
}
type Offered = { token: string; changeUuid: string }
const show = (token: string, headers = {}) => askClient(app, 'change', { token }, headers)
const begin = ({ token, changeUuid }: Offered) => askClient(app, 'change/pay', { token, changeUuid })
const report = ({ token, changeUuid }: Offered, paymentIntentClientSecret: string) =>
  askClient(app, 'change/pay', { token, changeUuid, paymentIntentClientSecret })
const decline = ({ token, changeUuid }: Offered) => askClient(app, 'change/decline', { token, changeUuid })
const secretOf = async (offered: Offered): Promise<string> => (await begin(offered)).body.data.clientSecret

const claim = (policyUuid: string) =>
  sql`insert into tickets (business_unit_id, id, reference, kind, type_key, form, status, subject, description, policy_id, policy_number,
      incident_date, contact_name, contact_email, contact_phone, locale, user_id, user_name, created_at, updated_at, search)
    select business_unit_id, gen_random_uuid(), number, 'claim', 'other', '{}', 'open', 'A claim', '', id, number,
      start_date, '', '', '', locale, seller_id, seller_name, created_at, created_at, ''
    from policies where id = ${policyUuid}`.execute(app.world.database.kysely)

async function runReconcilers(): Promise<void> {
  await expireOffers(app.sales)
  await reconcile(app.sales)
}

/** Moves the clock past the end of an offer, and back after the work. */
async function after(until: string, work: () => Promise<void>): Promise<void> {
  ahead = Date.parse(until) - Date.now() + 1000
  const before = seller
  seller = await sellerOf(app)
  await work()
  seller = before
  ahead = 0
}

describe('an offer of a change', () => {
  it('waits for the client, charges nothing, and leaves the policy as it was', async () => {
    const { id, asked, changeUuid } = await offer()
    expect(asked.body.data).toMatchObject({ state: 'offered', kind: 'change', version: 1, charge: 17.08, clientSecret: null })
    expect(await stands(id)).toEqual([1, 3376, 'offered'])
    expect((await terms(id)).openChange).toMatchObject({ changeUuid, difference: 17.08, offeredTo: email })
    expect(await paymentsOf(id)).toHaveLength(1)
    expect(await events(id)).toEqual(['change_offered'])
  })

  it('is mailed with its own link, in the requested language or the policy’s', async () => {
    const { id } = await offer({ to: { email, locale: 'fr-FR' } })
    const [french] = await mailsOf(id)
    expect(french).toMatchObject({ recipient_address: email, state: 'sent' })
    expect(french?.subject).toContain('une modification de votre contrat')
    expect(french?.text_body).toMatch(/17,08/)
    expect(french?.attachments).toMatchObject([{ filename: expect.stringMatching(/^Aperçu de la modification \d{7}-\w\.pdf$/) }])
    // The PDF was made when the email left.
    expect(french?.attachments[0]?.size).toBeGreaterThan(10_000)
    const { id: other } = await offer()
    expect((await mailsOf(other))[0]?.subject).toContain('un cambio de su póliza')
  })

  it('shows the client what changes line by line, without commission', async () => {
    const offered = await offer()
    const { status, body, text } = await show(offered.token, { 'accept-language': 'fr-FR' })
    expect(status, text).toBe(200)
    expect(body.data).toMatchObject({
      changeUuid: offered.changeUuid,
      state: 'offered',
      charge: 17.08,
      currency: 'EUR',
      changes: {
        facts: [{ what: 'endDate', was: addDays(start, 7), is: addDays(start, 11) }],
        people: [],
        total: { was: 33.76, is: 50.84 },
        waitUntil: null,
      },
    })
    expect(body.data.changes.lines[0]).toEqual({ kind: 'travel', label: null, translated: false, was: 31.2, is: 47 })
    expect(body.data.changes.lines[1]).toMatchObject({ kind: 'tax', label: 'Taxe espagnole sur les primes d’assurance', translated: true })
    expect(text.toLowerCase()).not.toContain('commission')
    expect((await askClient(app, 'policy', { token: offered.token })).body.data.offer).toEqual({ locale: 'es-ES' })
  })

  it('shows another country of origin and another policyholder', async () => {
    const { policyUuid } = await sellTo(app, seller)
    const [ana, leo] = (await terms(policyUuid)).policy.people.map(({ personUuid }: { personUuid: string }) => ({ personUuid }))
    const change = { endDate: addDays(start, 20), countryOriginId: 250, users: [{ ...leo, ...reach }, ana] }
    const { difference } = (await post('change/preview', { policyUuid, version: 1, change })).body.data
    const settle = { offer: { email } }
    expect((await post('change', { policyUuid, version: 1, change, expectedDifference: difference.total, settle })).body.data.state).toBe(
      'offered',
    )
    const { changes } = (await show(await tokenFor(app, policyUuid, email), { 'accept-language': 'en-EN' })).body.data
    expect(changes.facts).toMatchObject([
      { what: 'endDate' },
      { what: 'origin', was: 'Spain', is: 'France' },
      { what: 'holder', was: 'Ana García López', is: 'Leo García Gil' },
      { what: 'contact' },
    ])
  })

  it('is paid once and made once, however often the client begins and reports it', async () => {
    const offered = await offer()
    const [one, two] = await Promise.all([begin(offered), begin(offered)])
    expect(one.body.data).toMatchObject({ state: 'awaiting_payment', publishableKey: app.network.publishableKey })
    const secret = one.body.data.clientSecret
    expect(two.body.data.clientSecret).toBe(secret)
    expect(await stands(offered.id)).toEqual([1, 3376, 'awaiting_payment'])
    expect((await report(offered, secret)).body.error).toBe('payment.not_paid')
    await payBy(app, secret)
    const reports = await Promise.all([report(offered, secret), report(offered, secret)])
    expect(reports.map(({ body }) => body.data?.state)).toEqual(['done', 'done'])
    expect((await begin(offered)).body.data).toEqual({ state: 'done', clientSecret: null, publishableKey: null })
    expect(await stands(offered.id)).toEqual(made)
    expect(await paymentsOf(offered.id)).toEqual([
      [33.76, 'settled', 0],
      [17.08, 'settled', 0],
    ])
    expect(await events(offered.id)).toEqual(['change_offered', 'change_accepted', 'changed'])
    expect((await askClient(app, 'policy', { token: offered.token })).body.data).toMatchObject({ version: 2, offer: null })
  })

  it('is paid after the bank’s authentication, and not without it', async () => {
    const offered = await offer()
    const secret = await secretOf(offered)
    expect(await payBy(app, secret, 'pm_card_authenticationRequiredOnSetup')).toBe('requires_action')
    expect((await report(offered, secret)).body.error).toBe('payment.authentication_required')
    await authenticate(app, secret, 'approve')
    expect((await report(offered, secret)).body.data.state).toBe('done')
    expect(await stands(offered.id)).toEqual(made)
  })

  it('is made by the network’s event alone, or by the reconciler', async () => {
    const first = await offer()
    await payBy(app, await secretOf(first))
    ahead = 3 * 60_000
    await runReconcilers()
    expect(await stands(first.id)).toEqual(made)
    ahead = 0
    await receiveWebhooks(app)
    const second = await offer()
    await payBy(app, await secretOf(second))
    await expect.poll(async () => (await app.world.outbox.drain(), stands(second.id))).toEqual(made)
    app.network.webhooksTo(undefined)
  })

  it('that is sent again with its key is the same offer, with one mail', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const offered = await offer({ headers })
    // A stored reply may be lost in a crash: the open change knows its request.
    await app.world.database.kysely.deleteFrom('idempotency').execute()
    const again = await post('change', { policyUuid: offered.id, version: 1, ...longer, settle: { offer: { email } } }, headers)
    expect(again.body.data).toMatchObject({ changeUuid: offered.changeUuid, state: 'offered' })
    expect(await mailsOf(offered.id)).toHaveLength(1)
  })

  it('that is paid by an earlier link is no longer mailed, and forgets its address', async () => {
    const { policyUuid: id, token } = await sellTo(app, seller)
    const settle = { offer: { email: 'secretary@company.example' } }
    const { changeUuid } = (await post('change', { policyUuid: id, version: 1, ...longer, settle })).body.data
    const offered = { token, changeUuid }
    const secret = await secretOf(offered)
    await payBy(app, secret)
    expect((await report(offered, secret)).body.data.state).toBe('done')
    expect((await mailsOf(id)).map(({ state }) => state)).toEqual(['withdrawn'])
    const movements = app.world.database.kysely.selectFrom('policy_deeds').select('asked').where('policy_id', '=', id)
    expect((await movements.execute()).map(({ asked }) => asked)).toEqual([{ policyUuid: id, version: 1, ...longer }])
  })

  it('can be paid again if the network did not respond, with one payment', async () => {
    const offered = await offer()
    app.network.fault({ fault: 'drop-after', times: 2, method: 'POST', path: '/v1/payment_intents' })
    expect((await begin(offered)).body.error).toBe('payment.unavailable')
    const secret = await secretOf(offered)
    await payBy(app, secret)
    expect((await report(offered, secret)).body.data.state).toBe('done')
    expect(await paymentsOf(offered.id)).toHaveLength(2)
  })

  it('prevents every other change, and only one of two agents at once may offer', async () => {
    const { id } = await offer()
    const other = await post('change', { policyUuid: id, version: 1, change: { buReference: 'R 2' }, expectedDifference: 0 })
    expect(other.body.error).toBe('change.pending')
    const { policyUuid } = await sellTo(app, seller)
    const both = await Promise.all([1, 2].map(() => post('change', { policyUuid, version: 1, ...longer, settle: { offer: { email } } })))
    expect(new Set(both.map(({ body }) => body.error ?? body.data.state))).toEqual(new Set(['offered', 'change.pending']))
  })

  it('is refused without an amount to pay, or with a wrong address, way or price', async () => {
    const { policyUuid } = await sellTo(app, seller)
    const ask = (body: object) => post('change', { policyUuid, version: 1, ...longer, settle: { offer: { email } }, ...body })
    const shorter = { change: { endDate: addDays(start, 4) }, expectedDifference: -8.22 }
    const free = { change: { buReference: 'R 3' }, expectedDifference: 0 }
    for (const nothing of [shorter, free]) {
      const { status, body } = await ask(nothing)
      expect([status, body.error]).toEqual([422, 'change.nothing_to_pay'])
    }
    const wrong = await ask({ settle: { offer: { email: 'a@b.example,c@d.example' } } })
    expect([wrong.status, wrong.body.fields.map(({ path }: { path: string }) => path)]).toEqual([422, ['settle.offer.email']])
    const both = { offer: { email }, paymentGatewayUUID: seller.gateway('StripeV2') }
    for (const settle of [both, { offer: { email, price: 1 } }, { offer: {} }, {}]) expect((await ask({ settle })).status).toBe(422)
    expect((await ask({ expectedDifference: 17.07 })).body.error).toBe('change.price_changed')
    expect(await stands(policyUuid)).toEqual(untouched)
    expect(await mailsOf(policyUuid)).toEqual([])
  })
})

const mailsOf = async (policyUuid: string) => {
  await app.world.outbox.drain()
  const rows = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', policyUuid).orderBy('id').execute()
  return rows.filter(({ template }) => template === 'change_offered')
}

describe('an offer that is not paid', () => {
  it('is declined by the client, who may do so twice, and another may follow', async () => {
    const offered = await offer()
    const replies = [await decline(offered), await decline(offered)]
    expect(replies.map(({ body }) => body.data)).toEqual([{ state: 'declined' }, { state: 'declined' }])
    expect((await show(offered.token)).body.data).toMatchObject({ state: 'declined', changes: null })
    expect((await begin(offered)).body.error).toBe('change.expired')
    expect((await post('change/take-back', { changeUuid: offered.changeUuid })).body.error).toBe('change.expired')
    expect(await stands(offered.id)).toEqual(untouched)
    expect(await events(offered.id)).toEqual(['change_offered', 'change_declined'])
    const next = await post('change', { policyUuid: offered.id, version: 1, ...longer, settle: { offer: { email } } })
    expect(next.body.data.state).toBe('offered')
    expect((await decline(offered)).status).toBe(404)
  })

  it('is declined after its payment has begun, which is cancelled at the network', async () => {
    const offered = await offer()
    const secret = await secretOf(offered)
    expect((await decline(offered)).body.data.state).toBe('declined')
    expect(intentOf(app, secret)?.status).toBe('canceled')
    expect(await paymentsOf(offered.id)).toEqual([
      [33.76, 'settled', 0],
      [17.08, 'closed', 0],
    ])
    expect((await report(offered, secret)).body.error).toBe('payment.cancelled')
  })

  it('that was paid just before it is declined is made, and the reply says so', async () => {
    const offered = await offer()
    await payBy(app, await secretOf(offered))
    expect((await decline(offered)).body.data.state).toBe('done')
    expect(await stands(offered.id)).toEqual(made)
  })

  it('that is paid and declined at once cancels the payment, or can no longer be paid', async () => {
    const offered = await offer()
    const [began, declined] = await Promise.all([begin(offered), decline(offered)])
    expect(declined.body.data?.state ?? declined.body.error).toBe('declined')
    expect([undefined, 'change.expired', 'payment.cancelled']).toContain(began.body.error)
    expect(await stands(offered.id)).toEqual(untouched)
    expect((await paymentsOf(offered.id)).slice(1)).toEqual(began.body.error === 'change.expired' ? [] : [[17.08, 'closed', 0]])
  })

  it('is taken back by the agency, together with its unsent mail', async () => {
    const { policyUuid: id } = await sellTo(app, seller)
    const asked = await post('change', { policyUuid: id, version: 1, ...longer, settle: { offer: { email } } })
    const { changeUuid } = asked.body.data
    expect((await post('change/take-back', { changeUuid })).body.data).toMatchObject({ state: 'taken_back', charge: 0 })
    expect((await post('change/take-back', { changeUuid })).body.data.state).toBe('taken_back')
    expect((await mailsOf(id)).map(({ state }) => state)).toEqual(['withdrawn'])
    expect(await stands(id)).toEqual(untouched)
  })

  it('that is taken back shows so to the client, who can no longer pay', async () => {
    const offered = await offer()
    await post('change/take-back', { changeUuid: offered.changeUuid })
    expect((await show(offered.token)).body.data.state).toBe('taken_back')
    expect((await begin(offered)).body.error).toBe('change.expired')
    expect((await decline(offered)).body.error).toBe('change.expired')
  })

  it('expires after a day, at once for the client and within a minute for the agency', async () => {
    const offered = await offer()
    expect(Date.parse(offered.until) - Date.now()).toBeGreaterThan(86_300_000)
    await after(offered.until, async () => {
      expect((await begin(offered)).body.error).toBe('change.expired')
      expect((await show(offered.token)).body.data.state).toBe('expired')
      await runReconcilers()
      expect(await stands(offered.id)).toEqual(untouched)
      expect(await events(offered.id)).toEqual(['change_offered', 'change_expired'])
    })
  })

  it('expires at 00:00 of the departure if that is earlier', async () => {
    const tomorrow = addDays(today(new Date(), 'Europe/Madrid'), 1)
    const sale = { startDate: tomorrow, endDate: addDays(tomorrow, 7) }
    const { policyUuid } = await sellTo(app, seller, sale)
    const asked = { policyUuid, version: 1, change: { endDate: addDays(tomorrow, 11) } }
    const { difference } = (await post('change/preview', asked)).body.data
    const { body } = await post('change', { ...asked, expectedDifference: difference.total, settle: { offer: { email } } })
    expect(Date.parse(body.data.until)).toBe(startOfDay(tomorrow, 'Europe/Madrid'))
  })

  it('refunds a payment that comes one second after its end', async () => {
    const offered = await offer()
    const secret = await secretOf(offered)
    await after(offered.until, async () => {
      await payBy(app, secret)
      expect((await report(offered, secret)).body.error).toBe('payment.refunded')
      await runReconcilers()
      expect(intentOf(app, secret)?.refunded).toBe(1708)
      expect(await stands(offered.id)).toEqual(untouched)
    })
  })

  it('cannot be paid with a claim on the policy, and ends with the policy', async () => {
    const claimed = await offer()
    await claim(claimed.id)
    expect((await begin(claimed)).body.error).toBe('change.claimed')
    const ended = await offer()
    const cancel = { policyUuid: ended.id, version: 1, expectedRefund: 33.76, reason: 'trip_cancelled' }
    expect((await post('cancel', cancel)).body.data.kind).toBe('cancellation')
    expect((await begin(ended)).body.error).toBe('change.expired')
  })
})

describe('the link of an offer', () => {
  it('answers only the offer of its own policy, and an unknown one gets the same 404', async () => {
    const [one, other] = [await offer(), await offer()]
    const { token } = await sellTo(app, seller)
    const unknown = await begin({ token: 'A'.repeat(22), changeUuid: one.changeUuid })
    for (const refused of [
      await begin({ token: other.token, changeUuid: one.changeUuid }),
      await decline({ token: other.token, changeUuid: one.changeUuid }),
      await begin({ token, changeUuid: one.changeUuid }),
      await show(token),
    ])
      expect({ ...refused.body, requestId: null }).toEqual({ ...unknown.body, requestId: null })
    expect(await stands(one.id)).toEqual([1, 3376, 'offered'])
  })

  it('shows the offer to the policyholder and its addressee, and to no other reader', async () => {
    const to = 'secretary@company.example'
    const offered = await offer({ to: { email: to } })
    expect((await show(await tokenFor(app, offered.id, email))).status).toBe(200)
    expect((await show(offered.token)).body.data.state).toBe('offered')
    await app.ask('/api/policy/sendCertificates', {
      body: { policyUuid: offered.id, emails: ['leo@example.com'], files: [] },
      headers: seller.headers,
    })
    const reader = await tokenFor(app, offered.id, 'leo@example.com')
    expect((await askClient(app, 'policy', { token: reader })).body.data.offer).toBeNull()
    expect((await show(reader)).status).toBe(404)
    expect((await begin({ token: reader, changeUuid: offered.changeUuid })).status).toBe(404)
  })

  it('opens the offer alone to an address that is not the policyholder’s', async () => {
    const { policyUuid: id, token: own } = await sellTo(app, seller)
    const { documents } = (await askClient(app, 'policy', { token: own })).body.data.can
    const settle = { offer: { email: 'other@example.es' } }
    const { changeUuid } = (await post('change', { policyUuid: id, version: 1, ...longer, settle })).body.data
    const token = await tokenFor(app, id, 'other@example.es')
    const { body, text } = await askClient(app, 'policy', { token })
    expect(body.data).toMatchObject({
      offerOnly: true,
      offer: { locale: 'es-ES' },
      endDate: addDays(start, 7),
      people: [],
      can: { documents: [] },
    })
    for (const hidden of ['García', 'Leo', '33.76', documents[0].uuid]) expect(text).not.toContain(hidden)
    const unknown = 'A'.repeat(22)
    for (const [call, rest] of [
      ['file', { fileUuid: documents[0].uuid }],
      ['request', { description: 'Un día más' }],
    ] as const) {
      const [refused, none] = [await askClient(app, call, { token, ...rest }), await askClient(app, call, { token: unknown, ...rest })]
      expect([refused.status, { ...refused.body, requestId: null }]).toEqual([404, { ...none.body, requestId: null }])
    }
    const statement = { token, name: 'Other', confirmTo: 'other@example.es', version: 1 }
    expect((await askClient(app, 'withdraw', statement)).status).toBe(403)
    const [mail] = await mailsOf(id)
    expect(mail).toMatchObject({ state: 'sent', attachments: [] })
    const secret = await secretOf({ token, changeUuid })
    await payBy(app, secret)
    expect((await report({ token, changeUuid }, secret)).body.data.state).toBe('done')
    expect((await askClient(app, 'policy', { token })).body.data).toMatchObject({
      version: 2,
      offerOnly: true,
      people: [],
      can: { documents: [] },
    })
  })

  it('opens the whole policy to the policyholder', async () => {
    const offered = await offer()
    const { body } = await askClient(app, 'policy', { token: offered.token })
    expect(body.data).toMatchObject({ offerOnly: false, people: ['Ana García López', 'Leo García Gil'], price: { total: 33.76 } })
    expect(body.data.can.documents.length).toBeGreaterThan(0)
  })

  it('pays with the secret of its own payment alone', async () => {
    const [one, other] = [await offer(), await offer()]
    const [, foreign] = [await secretOf(one), await secretOf(other)]
    await payBy(app, foreign)
    expect((await report(one, foreign)).status).toBe(404)
    expect(await stands(one.id)).toEqual([1, 3376, 'awaiting_payment'])
  })

  it('is not needed to take an offer back, which another unit cannot', async () => {
    const { changeUuid } = await offer()
    const rival = await signIn(app, 'agent@rotta.example')
    const viewer = await signIn(app, 'viewer@azahar.example')
    expect((await post('change/take-back', { changeUuid }, rival.headers)).status).toBe(404)
    expect((await post('change/take-back', { changeUuid }, viewer.headers)).status).toBe(403)
    expect((await post('change/pay', { changeUuid })).body.error).toBe('payment.not_paid')
    expect((await post('change/open', { changeUuid })).body.data).toMatchObject({ state: 'offered', clientSecret: null })
  })
})
