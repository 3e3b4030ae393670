import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteAs, purchaseAs, registerAs, sellerOf } from '#server/policies/testing.ts'
import { openRenewals } from './night.ts'
import { annual, couple, type RenewalApp, renewalApp, type Sold } from './testing.ts'

let app: RenewalApp
beforeAll(async () => {
  app = await renewalApp()
})
afterAll(() => app.stop())

/** Two weeks before the last day, at six in Madrid. */
const twoWeeks = '2027-11-16T05:00:00Z'

async function playNight(moment: string): Promise<void> {
  app.setClock(moment)
  await Promise.all([openRenewals(app.world)(), openRenewals(app.world)()])
  await app.world.outbox.drain()
}

type Renewed = Sold & { renewal: string }

async function renewed(): Promise<Renewed> {
  const { policyUuid } = await app.soldUntil('2027-10-31T06:00:00Z')
  await playNight('2027-10-31T06:00:00Z')
  const { id } = await app.world.database.asService(tx =>
    tx.selectFrom('policies').select('id').where('renews', '=', policyUuid).executeTakeFirstOrThrow(),
  )
  return { policyUuid, renewal: id, seller: await sellerOf(app) }
}

const remindersOf = ({ renewal }: { renewal: string }) =>
  app.world.database.asService(tx =>
    tx.selectFrom('mails').selectAll().where('about', '=', renewal).where('template', '=', 'renewal_reminder').execute(),
  )

it('an unsold renewal is mailed again two weeks before the end, once', async () => {
  const sold = await renewed()
  await playNight('2027-11-15T20:00:00Z')
  await playNight('2027-11-16T04:59:00Z')
  expect(await remindersOf(sold)).toEqual([])
  await playNight(twoWeeks)
  await playNight('2027-11-17T05:00:00Z')
  const [mail, ...others] = await remindersOf(sold)
  expect(others).toEqual([])
  expect(mail).toMatchObject({ recipient_address: 'ana@example.es', state: 'sent' })
  for (const part of ['termina el 30/11/2027', '282,45 €', 'del 01/12/2027 al 30/11/2028']) expect(mail?.text_body).toContain(part)
})

const send = ({ seller, renewal }: Omit<Renewed, 'policyUuid'>) =>
  app.ask('/api/policy/sendCertificates', {
    body: { policyUuid: renewal, emails: ['ana@example.es'], files: [] },
    headers: seller.headers,
  })

async function decline({ renewal }: Pick<Renewed, 'renewal'>): Promise<void> {
  const { text_body: text } = await app.world.database.asService(tx =>
    tx.selectFrom('mails').selectAll().where('about', '=', renewal).where('template', '=', 'renewal_quote').executeTakeFirstOrThrow(),
  )
  const token = /\/my-quote#([\w-]{22})$/m.exec(text ?? '')?.[1]
  const { body } = await app.ask('/api/client/quote/decline', { body: { token, name: 'Ana García López' } })
  expect(body.data).toEqual({ state: 'declined' })
}

it.each<[string, (sold: Renewed) => Promise<unknown>]>([
  ['was deleted', ({ seller, renewal }) => deleteAs(seller, renewal)],
  [
    'has no link any more',
    ({ seller, renewal }) => app.ask('/api/policy/quote-link/revoke', { body: { policyUuid: renewal }, headers: seller.headers }),
  ],
  [
    'was sold',
    async ({ seller, renewal }) => {
      const productUUID = seller.products.find(({ code }) => code === 'ANN').uuid
      const next = { productUUID, ...annual, startDate: '2027-12-01', endDate: '2028-11-30', users: couple, policyUuid: renewal }
      const { purchaseUUID } = (await registerAs(seller, next)).body.data
      return purchaseAs(seller, { purchaseUUID })
    },
  ],
  [
    'the client’s mailbox once refused',
    async sold => {
      await send(sold)
      await app.world.outbox.drain()
      await app.world.database.asService(tx =>
        tx
          .updateTable('mails')
          .set({ state: 'refused' })
          .where('about', '=', sold.renewal)
          .where('template', '=', 'budget_offer')
          .execute(),
      )
    },
  ],
  ['was declined by its link', decline],
  [
    'has a policy whose person objected',
    ({ policyUuid }) =>
      app.world.database.asService(tx => tx.updateTable('policies').set({ status: 'blocked' }).where('id', '=', policyUuid).execute()),
  ],
  [
    'has a policy that has changed',
    ({ policyUuid }) =>
      app.world.database.asService(tx => tx.updateTable('policies').set({ renewal_judged: 7 }).where('id', '=', policyUuid).execute()),
  ],
])('a renewal that %s is not mailed again', async (_, happen) => {
  const sold = await renewed()
  await happen(sold)
  await playNight(twoWeeks)
  expect(await remindersOf(sold)).toEqual([])
})

it.each([
  ['was made in the last two weeks', '2027-11-17T06:00:00Z', true],
  ['no one has mailed', '2027-11-01T06:00:00Z', false],
])('a renewal of an agent that %s is not mailed again', async (_, moment, isSent) => {
  const { policyUuid, seller } = await app.soldUntil(moment)
  const { body } = await app.ask('/api/policy/renew', { body: { policyUuid }, headers: seller.headers })
  const renewal: string = body.data.policyUuid
  if (isSent) await send({ seller, renewal })
  await app.world.outbox.drain()
  await playNight('2027-11-20T06:00:00Z')
  expect(await remindersOf({ renewal })).toEqual([])
})

it('a reminder that waits is dropped if the client declines meanwhile', async () => {
  const sold = await renewed()
  app.setClock(twoWeeks)
  await openRenewals(app.world)()
  await decline(sold)
  await app.world.outbox.drain()
  expect(await remindersOf(sold)).toMatchObject([{ state: 'withdrawn' }])
})
