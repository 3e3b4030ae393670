import { setTimeout as delay } from 'node:timers/promises'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'
import { ana, type Agent, asker, type Json, leo, signIn } from '#testing/agent.ts'

/**
 * Plays the November example on a new demo at `origin`, from outside: by its calls, and by its business clock. Throws unless every amount is equal to
 * the cent.
 */
export async function playNovemberAt(origin: string): Promise<void> {
  const ask = asker(() => origin)
  const seller = await signIn(ask, 'agent@azahar.example')

  async function post(path: string, body: object, by: Pick<Agent, 'ask'> = seller): Promise<Json> {
    const reply = await by.ask(path, { body })
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`)
    return reply.body.data
  }

  const at = (instant: string) => ask('/dev/clock', { body: { at: instant } })
  const productOf = (code: string) => {
    const { uuid, id } = seller.products.find(product => product.code === code)
    return { productUUID: uuid, insuranceType: id }
  }
  const { configuration } = (await seller.ask('/api/business-unit/settings')).body.data

  async function sell(changes: Record<string, unknown>, card = false): Promise<string> {
    const paymentGatewayUUID = seller.gateway(card ? 'StripeV2' : 'Deferred')
    const registered = await post('/api/policy/register', {
      ...productOf('ESS'),
      saveBudget: false,
      users: [ana, leo],
      paxNumber: 2,
      buReference: 'November',
      paymentGatewayUUID,
      countryOriginId: configuration.country,
      countriesDestinationId: '380',
      roleFirstUser: 1,
      ...changes,
    })
    if (card) await pay(registered.clientSecret)
    return (await post('/api/policy/purchase', { paymentGatewayUUID, purchaseUUID: registered.purchaseUUID })).policyData.policyUuid
  }

  /** Pays at the demo's fake card network, as the browser does. */
  async function pay(clientSecret: string): Promise<void> {
    const [id] = clientSecret.split('_secret_')
    const reply = await fetch(new URL(`/dev/cards/v1/payment_intents/${id}/confirm`, origin), {
      method: 'POST',
      headers: { authorization: `Bearer ${fakeCardKey}` },
      body: new URLSearchParams({ client_secret: clientSecret, payment_method: 'pm_card_visa' }),
    })
    if (!reply.ok) throw new Error(await reply.text())
  }

  const change = (policyUuid: string, changed: object, expectedDifference: number) =>
    post('/api/policy/change', {
      policyUuid,
      version: 1,
      change: changed,
      expectedDifference,
      ...(expectedDifference > 0 ? { settle: { paymentGatewayUUID: seller.gateway('Deferred') } } : {}),
    })

  await at('2026-11-02T09:00:00Z')
  const a = await sell({ startDate: '2026-11-20', endDate: '2026-11-27' })
  await at('2026-11-03T09:00:00Z')
  await change(a, { endDate: '2026-12-01' }, 17.08)
  await at('2026-11-10T09:00:00Z')
  const couple = [
    { ...ana, birthDate: '1981-01-15' },
    { ...leo, birthDate: '1983-01-15' },
  ]
  const tour = { startDate: '2027-03-10', endDate: '2027-03-24', countriesDestinationId: '392', reservationDate: '2026-11-10' }
  const b = await sell({ ...productOf('TOT'), users: couple, insurancedAmount: 6400, ...tour }, true)
  await post('/api/policy/cancel', { policyUuid: a, version: 2, expectedRefund: 50.84, reason: 'trip_cancelled' })
  await at('2026-11-20T10:00:00Z')
  const { email, phonePrefix, phoneNumber, address, city, state, zipCode } = ana
  const student = { ...leo, email, phonePrefix, phoneNumber, address, city, state, zipCode, birthDate: '2005-01-15' }
  const year = { startDate: '2026-12-01', endDate: '2027-04-29', countriesDestinationId: '276' }
  await sell({ ...productOf('STU'), users: [student], paxNumber: 1, ...year })
  await at('2026-11-21T10:00:00Z')
  await change(b, { startDate: '2027-01-09', endDate: '2027-01-23' }, -42.63)

  const accountant = await signIn(ask, 'accounts@azahar.example')
  const november = { from: '2026-11-01', to: '2026-11-30', perPage: 100 }
  const { entries, sums } = await post('/api/accounting/entries', november, accountant)
  const rows: Json[] = entries.toReversed()
  for (const { at, kind, way, gross, account, commission } of rows) console.log(at.slice(0, 10), kind, way, gross, account, commission)
  await at('2026-12-01T05:00:00Z')
  const statement = await closed()
  console.log(sums, statement)
  equal(
    'on account',
    rows.filter(({ way }) => way === 'account').map(({ account }) => account),
    [33.76, 17.08, -50.84, 134.72],
  )
  equal(
    'commission',
    rows.map(({ commission }) => commission),
    [8.74, 4.42, 155.75, -13.16, 27.4, -11.83],
  )
  equal('sums', [sums.gross, sums.account, sums.earned], [653.57, 134.72, 171.32])
  equal('net', statement.due, { account: -36.6, commission: 0 })
  console.log('All are equal to the cent.')

  /** Returns the statement of November once the service's own job has closed the month. */
  async function closed(): Promise<Json> {
    for (;;) {
      const { statements } = await post('/api/accounting/statements', {}, accountant)
      if (statements[0]) return { number: statements[0].number, due: statements[0].due }
      await delay(1000)
    }
  }
}

function equal(what: string, ours: unknown, worked: unknown): void {
  if (JSON.stringify(ours) !== JSON.stringify(worked))
    throw new Error(`${what}: ${JSON.stringify(ours)} instead of ${JSON.stringify(worked)}`)
}
