import { Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { today } from '#common/kit/dates.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { authenticate, type CardApp, cardApp, payBy } from '#server/policies/testing-cards.ts'
import { ana, leo, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { runRetention } from '#server/privacy/retention/run.ts'
import { pdf } from '#server/kit/upload/testing.ts'
import { sendForm } from '#server/tickets/testing.ts'
import { askClient, sellTo } from '../testing.ts'

let app: CardApp
let seller: Seller
let now: Date | undefined
let log = ''
const clock = { now: () => now ?? new Date() }
beforeAll(async () => {
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk)
      done()
    },
  })
  app = await cardApp({ clock, logTo, environment: { LOG_LEVEL: 'debug' } })
  seller = await sellerOf(app)
})
afterEach(async () => {
  now = undefined
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

const post = (path: string, body: object) => app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
const detail = async (policyUuid: string) => (await post('detail', { policyUuid })).body.data
const save = async (changes: Record<string, unknown> = {}): Promise<string> =>
  (await registerAs(seller, { saveBudget: true, ...changes })).body.data.policyUuid

async function linkTo(policyUuid: string, more: object = {}): Promise<string> {
  const { body, text } = await post('quote-link', { policyUuid, ...more })
  expect(body.code, text).toBe(200)
  return /\/my-quote#([\w-]{22})$/.exec(body.data.url)?.[1] ?? ''
}
const show = async (token: string) => (await askClient(app, 'quote', { token }, { 'accept-language': 'es-ES' })).body
const quoteIn = async (token: string, index = 0) => (await show(token)).data.quotes[index]
type Shown = { policyUuid: string; version: number; files: { uuid: string }[]; price: { total: number } }
const payOf = ({ policyUuid, version, files, price }: Shown, more: object = {}) => ({
  policyUuid,
  version,
  expectedTotal: price.total,
  declared: { needs: true, files: files.map(({ uuid }) => uuid), beginNow: null },
  ...more,
})
const pay = (token: string, shown: Shown, more: object = {}) => askClient(app, 'quote/pay', { token, ...payOf(shown, more) })
const decline = (token: string, reason?: string) => askClient(app, 'quote/decline', { token, name: 'Ana', ...(reason ? { reason } : {}) })

describe('the link of saved quotes', () => {
  it('shows price, restrictions, covers, documents and people without dates and numbers', async () => {
    const policyUuid = await save()
    const token = await linkTo(policyUuid, { message: 'Como hablamos.\nUn saludo' })
    const { data } = await show(token)
    expect(data).toMatchObject({ message: 'Como hablamos.\nUn saludo', cards: true, decision: null, brand: { name: 'Viajes Azahar' } })
    const [quote] = data.quotes
    expect(quote).toMatchObject({
      policyUuid,
      version: 1,
      state: 'open',
      destinations: ['Italia'],
      price: { total: 33.76 },
      provisional: false,
    })
    expect(quote.travellers).toEqual([
      { position: 0, name: 'Ana García López', birthYear: 1990, holder: true, missing: [] },
      { position: 1, name: 'Leo García Gil', birthYear: 1988, holder: false, missing: [] },
    ])
    expect(quote.restrictions.length).toBeGreaterThan(0)
    expect(quote.covers.map(({ group }: { group: string }) => group)).toEqual(['medical', 'luggage', 'repatriation'])
    expect(quote.price.lines.reduce((sum: number, { amount }: { amount: number }) => sum + Math.round(amount * 100), 0)).toBe(3376)
    const text = JSON.stringify(data)
    for (const secret of [ana.birthDate, '12345678', leo.docNumber, 'commission', reach.email]) expect(text).not.toContain(secret)
    expect((await detail(policyUuid)).link).toMatchObject({ openedAt: expect.any(String), decision: null })
  })

  it('sends the two documents of the product, and never the quote’s own', async () => {
    const policyUuid = await save()
    const token = await linkTo(policyUuid)
    const { files } = await quoteIn(token)
    for (const { uuid } of files) {
      const reply = await askClient(app, 'file', { token, fileUuid: uuid })
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/pdf'])
    }
    for (const { uuid } of (await detail(policyUuid)).files)
      expect((await askClient(app, 'file', { token, fileUuid: uuid })).status).toBe(404)
  })

  it('is in the mail of a quote, with the message and both quotes', async () => {
    const [one, two] = [await save(), await save({ buReference: 'B' })]
    const sent = await post('sendCertificates', { policyUuid: one, emails: ['luz@example.es'], alternatives: [two], message: 'Elija una' })
    expect(sent.body.code, sent.text).toBe(200)
    await app.world.outbox.drain()
    const mail = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', one).executeTakeFirstOrThrow()
    expect(mail.text_body).toContain('> Elija una')
    const token = /\/my-quote#([\w-]{22})$/m.exec(mail.text_body ?? '')?.[1] ?? ''
    expect((await show(token)).data.quotes.map((quote: Shown) => quote.policyUuid)).toEqual([one, two])
    expect(mail.attachments).toHaveLength(6)
  })

  it('opens at most quotes of one policyholder that have their price', async () => {
    const one = await save()
    const other = await save({ users: [{ ...leo, ...reach, docNumber: '87654321X' }, ana] })
    const refused = await post('quote-link', { policyUuid: one, alternatives: [other] })
    expect([refused.status, refused.body.fields[0].path]).toEqual([422, 'alternatives[0]'])
    expect((await post('quote-link', { policyUuid: one, alternatives: [one] })).status).toBe(422)
    expect((await post('quote-link', { policyUuid: one, message: '4242 4242 4242 4242' })).status).toBe(422)
  })

  it('ends when it is revoked', async () => {
    const policyUuid = await save()
    const tokens = [await linkTo(policyUuid), await linkTo(policyUuid)]
    expect((await post('quote-link/revoke', { policyUuid })).body.data).toEqual({ revoked: 2 })
    for (const token of tokens) expect((await show(token)).code).toBe(404)
  })
})

describe('a stranger', () => {
  it('opens nothing by the token of another kind, by a guess, or by the secret of another payment', async () => {
    const policyUuid = await save()
    const [token, other] = [await linkTo(policyUuid), await linkTo(await save({ buReference: 'B' }))]
    const sold = await sellTo(app, seller)
    expect((await askClient(app, 'policy', { token })).status).toBe(404)
    expect((await show(sold.token)).code).toBe(404)
    for (const guess of ['', 'A'.repeat(22), `${token}=`, '<script>']) expect((await show(guess)).code).toBe(404)
    const shown = await quoteIn(token)
    const { clientSecret } = (await pay(other, await quoteIn(other))).body.data
    await payBy(app, clientSecret)
    expect((await pay(token, shown, { paymentIntentClientSecret: clientSecret })).status).toBe(404)
    expect((await pay(token, await quoteIn(other))).status).toBe(404)
    expect((await quoteIn(token)).state).toBe('open')
    for (const secret of [token, other, 'Ana García']) expect(log).not.toContain(secret)
    await pay(other, await quoteIn(other), { paymentIntentClientSecret: clientSecret })
  })
})

describe('a client who completes a quote', () => {
  const open = {
    users: [
      { ...ana, ...reach },
      { name: 'Leo', middleName: 'García', lastName: 'Gil' },
    ],
  }
  const complete = (token: string, { policyUuid, version }: Shown, users: object[]) =>
    askClient(app, 'quote/complete', { token, policyUuid, version, users })

  it('fills in what is missing and nothing else, and the price keeps its end', async () => {
    const file = { name: 'Pasaporte Ana.pdf', content: pdf() }
    const uploadFile = String((await sendForm(app, seller, '/api/policy/files', {}, [file])).body.data.uuid)
    const policyUuid = await save({ ...open, ages: [36, null], uploadFile })
    const token = await linkTo(policyUuid)
    const shown = await quoteIn(token)
    expect(shown.provisional).toBe(true)
    expect(shown.travellers[1].missing).toEqual(['birthDate', 'docNumber'])
    const refused = await complete(token, shown, [{ position: 1, name: 'Otro', birthDate: leo.birthDate, residenceCountryId: 250 }])
    expect([refused.status, refused.body.fields.map(({ path }: { path: string }) => path)]).toEqual([
      422,
      ['users[1].name', 'users[1].residenceCountryId'],
    ])
    const wrong = await complete(token, shown, [{ position: 1, birthDate: '1988-02-31' }])
    expect(wrong.status).toBe(422)
    const made = await complete(token, shown, [
      { position: 0, name: '', docNumber: null },
      { position: 1, birthDate: '1955-06-01', documentKind: 'passport', docNumber: 'XA123456' },
    ])
    expect(made.body.code, made.text).toBe(200)
    expect(made.body.data).toMatchObject({ version: 2, provisional: false, before: shown.price.total })
    expect(made.body.data.total).toBeGreaterThan(shown.price.total)
    const after = await quoteIn(token)
    expect([after.until, after.travellers[1].missing]).toEqual([shown.until, []])
    // The link may correct what it filled in, but not by an old version.
    expect((await complete(token, shown, [{ position: 1, birthDate: '1956-06-01' }])).body.error).toBe('request.conflict')
    expect((await complete(token, after, [{ position: 1, birthDate: '1988-01-01' }])).body.data.total).toBe(33.76)
    const { history, users, uploadFile: kept } = await detail(policyUuid)
    expect([kept?.uuid, users[0].name, users[0].docNumber]).toEqual([uploadFile, 'Ana', '12345678Z'])
    expect(history.map(({ what, who }: { what: string; who: string }) => `${what} ${who}`)).toContain('saved Ana García López')
  })
})

describe('a client whose agency saves the quote at the same moment', () => {
  it('builds on the version that was read, or is refused, and so takes nothing back', async () => {
    const users = [
      { ...ana, ...reach },
      { ...leo, docNumber: '' },
    ]
    const ids = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const policyUuid = await save({ users })
        const token = await linkTo(policyUuid)
        const fills = [{ position: 1, docNumber: leo.docNumber }]
        await Promise.all([
          askClient(app, 'quote/complete', { token, policyUuid, version: 1, users: fills }),
          registerAs(seller, { saveBudget: true, policyUuid, users, buReference: 'edited' }),
        ])
        return policyUuid
      }),
    )
    const theirs = app.world.database.kysely.selectFrom('policy_versions').select('version').where('policy_id', 'in', ids)
    expect((await theirs.where('user_id', 'is', null).where('version', '<>', 2).execute()).length).toBe(0)
  })
})

describe('a client who pays a quote', () => {
  it('is sold the policy once, with the link as the policy’s own', async () => {
    const policyUuid = await save()
    const token = await linkTo(policyUuid)
    const shown = await quoteIn(token)
    const begun = await pay(token, shown)
    expect(begun.body.data?.state, begun.text).toBe('awaiting_payment')
    const { clientSecret } = begun.body.data
    // From another device, and again with the next version.
    expect((await pay(token, shown)).body.data.clientSecret).toBe(clientSecret)
    expect((await quoteIn(token)).state).toBe('paying')
    await payBy(app, clientSecret, 'pm_card_authenticationRequiredOnSetup')
    await authenticate(app, clientSecret, 'approve')
    const done = await pay(token, shown, { paymentIntentClientSecret: clientSecret })
    expect(done.body.data, done.text).toEqual({ state: 'done', clientSecret: null, publishableKey: null })
    expect((await pay(token, shown)).body.data.state).toBe('done')
    expect((await decline(token)).body.data.state).toBe('done')
    const kinds = async () =>
      (await app.ask('/api/policy/day', { headers: seller.headers })).body.data.tasks.items.flatMap(
        (task: { kind: string; policyUuid: string }) => (task.policyUuid === policyUuid ? [task.kind] : []),
      )
    expect(await kinds()).toContain('quote_paid')
    const policy = await askClient(app, 'policy', { token })
    expect(policy.body.data, policy.text).toMatchObject({ status: 'upcoming', product: shown.product })
    const { link, shown: declared, payments, policy: row } = await detail(policyUuid)
    expect([row.status, payments.map(({ state }: { state: string }) => state), link.decision]).toEqual([
      'purchased',
      ['closed', 'settled'],
      'bought',
    ])
    expect(declared.files).toEqual(shown.files.map(({ uuid }: { uuid: string }) => uuid))
    expect(await kinds()).not.toContain('quote_paid')
  })

  it('declares both documents, and pays the price of the version that was shown', async () => {
    const policyUuid = await save()
    const token = await linkTo(policyUuid)
    const shown = await quoteIn(token)
    const paths = async (more: object) => (await pay(token, shown, more)).body.fields?.map(({ path }: { path: string }) => path)
    expect(await paths({ declared: { needs: true, files: [shown.files[0].uuid], beginNow: null } })).toEqual(['declared.files'])
    const files = shown.files.map(({ uuid }: { uuid: string }) => uuid)
    expect(await paths({ declared: { needs: true, files, beginNow: true } })).toEqual(['declared.beginNow'])
    expect((await pay(token, shown, { expectedTotal: 30 })).body.error).toBe('quote.price_changed')
    expect((await pay(token, { ...shown, version: 2 })).body.error).toBe('request.conflict')
  })

  it('pays one of two quotes: the other’s payment is cancelled first', async () => {
    const [one, two] = [await save(), await save({ buReference: 'B' })]
    const token = await linkTo(one, { alternatives: [two] })
    const first = (await pay(token, await quoteIn(token, 0))).body.data.clientSecret
    const second = (await pay(token, await quoteIn(token, 1))).body.data.clientSecret
    expect(await payBy(app, first)).not.toBe('succeeded')
    expect(await payBy(app, second)).toBe('succeeded')
    const shown = await quoteIn(token, 1)
    await pay(token, shown, { paymentIntentClientSecret: second })
    const { quotes } = (await show(token)).data
    expect(quotes.map(({ state }: { state: string }) => state)).toEqual(['other_quote', 'bought'])
  })

  it('is refused after the end', async () => {
    const policyUuid = await save()
    const token = await linkTo(policyUuid)
    const shown = await quoteIn(token)
    now = new Date(new Date(shown.until).getTime() + 1)
    expect((await pay(token, shown)).body.error).toBe('policy.price_expired')
    expect((await quoteIn(token)).state).toBe('expired')
  })
})

describe('a client of an agency without cards', () => {
  it('accepts a quote, which the agency then sells', async () => {
    const { kysely } = app.world.database
    const removed = await kysely.deleteFrom('unit_gateways').where('name', '=', 'StripeV2').returningAll().execute()
    try {
      const [one, two] = [await save(), await save({ buReference: 'B' })]
      const token = await linkTo(one, { alternatives: [two] })
      expect((await show(token)).data.cards).toBe(false)
      const shown = await quoteIn(token)
      const accepted = await pay(token, shown)
      expect(accepted.body.data, accepted.text).toEqual({ state: 'accepted', clientSecret: null, publishableKey: null })
      expect((await pay(token, shown)).body.data.state).toBe('accepted')
      expect((await decline(token)).body.data.state).toBe('accepted')
      expect((await show(token)).data).toMatchObject({
        decision: 'accepted',
        quotes: [{ state: 'accepted', version: 2 }, { state: 'other_quote' }],
      })
      const { policy, link, shown: declared } = await detail(one)
      expect([policy.status, link.decision, declared.files.length]).toEqual(['budgeted', 'accepted', 2])
    } finally {
      await kysely.insertInto('unit_gateways').values(removed).execute()
    }
  })
})

describe('a client who declines', () => {
  it('ends the whole link, once, and the agent gets a notice', async () => {
    const [one, two] = [await save(), await save({ buReference: 'B' })]
    const token = await linkTo(one, { alternatives: [two] })
    const shown = await quoteIn(token)
    const begun = await pay(token, shown)
    expect((await decline(token, 'too_dear')).body.data).toEqual({ state: 'declined' })
    expect(await payBy(app, begun.body.data.clientSecret)).not.toBe('succeeded')
    expect((await show(token)).data.decision).toBe('declined')
    expect((await pay(token, shown)).body.data.state).toBe('declined')
    const kinds = async () => (await app.ask('/api/policy/day', { headers: seller.headers })).body.data.tasks.items
    expect((await kinds()).filter(({ kind }: { kind: string }) => kind === 'quote_declined')).toHaveLength(2)
    expect((await detail(one)).link).toMatchObject({ decision: 'declined', reason: 'too_dear' })
    expect((await kinds()).filter(({ kind }: { kind: string }) => kind === 'quote_declined')).toHaveLength(1)
  })
})

describe('the retention', () => {
  const day = 86_400_000

  it('keeps neither people nor words of a link once its quotes are erased, and the answer for two years', async () => {
    const policyUuid = await save()
    const token = await linkTo(policyUuid, { message: 'Para Ana, como hablamos' })
    await decline(token, 'too_dear')
    const links = () => app.world.database.kysely.selectFrom('quote_links').selectAll().where('message', 'like', 'Para Ana%').execute()
    const [{ id } = { id: '' }] = await links()
    const row = () => app.world.database.kysely.selectFrom('quote_links').selectAll().where('id', '=', id).executeTakeFirst()
    now = new Date(Date.now() + 25 * day)
    await runRetention(app.world, today(now, 'UTC'))
    expect(await row()).toMatchObject({ message: '', recipient_hash: null, decision: 'declined', reason: 'too_dear' })
    expect((await show(token)).code).toBe(404)
    now = new Date(Date.now() + 750 * day)
    await runRetention(app.world, today(now, 'UTC'))
    expect(await row()).toBeUndefined()
  })
})
