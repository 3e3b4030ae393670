import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '#common/kit/dates.ts'
import { holdJobs, releaseJobs } from '#server/kit/work/jobs.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { openRenewals } from './night.ts'
import { type RenewalApp, renewalApp, sale, type Sold, tooOld } from './testing.ts'

let app: RenewalApp
beforeAll(async () => {
  app = await renewalApp()
})
afterEach(async () => {
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

/** The first night in which the policies can be renewed. In Madrid it is six, after the end of summer time. */
const first = '2027-10-31T05:00:00Z'

/** Plays a round at this moment, as a service that has just started. */
async function playNight(moment = first): Promise<void> {
  app.setClock(moment)
  await openRenewals(app.world)()
  await app.world.outbox.drain()
}

const detailOf = async ({ seller }: Sold, policyUuid: string) =>
  (await app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data

const renewalOf = async (sold: Sold): Promise<string | null> => {
  const { id } = (await renewals(sold)).find(({ status }) => status !== 'deleted') ?? { id: null }
  return id
}

const renewals = ({ policyUuid }: Sold) =>
  app.world.database.asService(tx => tx.selectFrom('policies').select(['id', 'status']).where('renews', '=', policyUuid).execute())

const mailsAbout = (policyUuid: string | null) =>
  app.world.database.asService(tx =>
    tx.selectFrom('mails').selectAll().where('about', '=', policyUuid).orderBy('at').orderBy('id').execute(),
  )

const refusalOf = async ({ policyUuid }: Sold) => (await mailsAbout(policyUuid)).find(({ template }) => template === 'renewal_refused')

const templatesOf = async (sold: Sold) => {
  const about = [...(await renewals(sold)).map(({ id }) => id), sold.policyUuid]
  const mails = (await Promise.all(about.map(mailsAbout))).flat()
  return mails.map(({ template }) => template).filter(template => template.startsWith('renewal_'))
}

const tasksOf = async ({ seller, policyUuid }: Sold): Promise<string[]> => {
  const { tasks } = (await app.ask('/api/policy/day', { headers: seller.headers })).body.data
  return tasks.items.filter((task: { policyUuid: string }) => task.policyUuid === policyUuid).map(({ kind }: { kind: string }) => kind)
}

const setUnit = (set: ReturnType<typeof sql>) =>
  app.world.database.asService(tx => sql`update business_units set ${set} where id = ${demoScope('azahar').businessUnitId}`.execute(tx))

describe('the next term of an annual policy', () => {
  it('is offered at six in the morning, 30 days before the end, and mailed with what is different (C137)', async () => {
    const sold = await app.soldUntil('2027-10-30T10:00:00Z')
    await playNight('2027-10-30T10:00:00Z')
    expect(await renewals(sold)).toEqual([])
    await playNight('2027-10-31T04:59:00Z')
    expect(await renewals(sold)).toEqual([])
    await playNight()
    const renewal = (await renewalOf(sold)) ?? ''
    const later = { ...sold, seller: await sellerOf(app) }
    const quote = await detailOf(later, renewal)
    expect(quote).toMatchObject({
      policy: {
        status: 'budgeted',
        startDate: '2027-12-01',
        endDate: '2028-11-30',
        buReference: 'Expediente Ñ-7',
        username: 'Lucía Ferrer',
      },
      complete: true,
      renews: sold.policyUuid,
      price: { total: 282.45 },
      priceValidUntil: '2027-11-30T22:59:59.999Z',
    })
    expect(quote.history.map(({ who, what }: { who: string; what: string }) => [who, what])).toEqual([
      ['', 'saved'],
      ['', 'sent'],
    ])
    const [mail, ...others] = await mailsAbout(renewal)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ template: 'renewal_quote', recipient_address: 'ana@example.es', state: 'sent' })
    for (const part of [
      '282,45 €',
      '30/11/2027',
      'Edad de Ana García López: 40 → 41',
      'Edad de Leo García Gil: 38 → 39',
      'del 01/12/2027 al 30/11/2028',
    ])
      expect(mail?.text_body).toContain(part)
    expect(mail?.attachments.length).toBeGreaterThan(0)
    expect(await tasksOf(later)).toEqual([])
    expect(await tasksOf({ seller: later.seller, policyUuid: renewal })).toEqual(['renewal'])
  })

  it('is offered once, whatever rounds and jobs are repeated, and not again once its quote is deleted', async () => {
    const sold = await app.soldUntil(first)
    const one = openRenewals(app.world)
    await one()
    await one()
    await app.world.outbox.drain()
    await playNight('2027-10-31T06:00:00Z')
    await app.world.database.asService(tx => tx.updateTable('jobs').set({ state: 'waiting' }).where('topic', 'like', 'renewal.%').execute())
    await app.world.outbox.drain()
    expect([(await renewals(sold)).length, await templatesOf(sold)]).toEqual([1, ['renewal_quote']])
    const { headers } = sold.seller
    await app.ask('/api/policy', { method: 'DELETE', body: { policyUuid: await renewalOf(sold) }, headers })
    await playNight('2027-11-01T06:00:00Z')
    expect(await renewals(sold)).toMatchObject([{ status: 'deleted' }])
  })

  it('is offered once by two nodes in the same night', async () => {
    const sold = [await app.soldUntil(first), await app.soldUntil(first)]
    await Promise.all([openRenewals(app.world)(), openRenewals(app.world)()])
    await app.world.outbox.drain()
    for (const each of sold) expect([(await renewals(each)).length, await templatesOf(each)]).toEqual([1, ['renewal_quote']])
  })

  it('is left to the agent who has renewed it already', async () => {
    const sold = await app.soldUntil(first)
    const renewed = await app.ask('/api/policy/renew', { body: { policyUuid: sold.policyUuid }, headers: sold.seller.headers })
    await playNight()
    expect(await renewals(sold)).toMatchObject([{ id: renewed.body.data.policyUuid }])
    expect(await templatesOf(sold)).toEqual([])
  })

  it('is offered by a service that was down, until the last day is over', async () => {
    const sold = await app.soldUntil('2027-11-30T22:00:00Z')
    await playNight('2027-11-30T22:00:00Z')
    expect(await renewals(sold)).toHaveLength(1)
    const over = await app.soldUntil('2027-12-01T08:00:00Z')
    await playNight('2027-12-01T08:00:00Z')
    expect([await renewals(over), await templatesOf(over)]).toEqual([[], []])
  })

  it('waits while the unit is suspended, and while jobs are held', async () => {
    const sold = await app.soldUntil(first)
    const { database } = app.world
    const night = openRenewals(app.world)
    await setUnit(sql`suspended = true`)
    await night()
    await app.world.outbox.drain()
    await setUnit(sql`suspended = false`)
    await database.asService(holdJobs)
    await night()
    await database.asService(releaseJobs)
    await app.world.outbox.drain()
    expect(await renewals(sold)).toEqual([])
    await night()
    await app.world.outbox.drain()
    expect(await renewals(sold)).toHaveLength(1)
  })
})

describe('a next term that cannot be offered', () => {
  it('is mailed once in 30 nights with the reason, and is one task until the policy is opened (C139)', async () => {
    const sold = await app.soldUntil(first, tooOld)
    for (let night = 0; night < 30; night += 1) await playNight(`${addDays('2027-10-31', night)}T06:00:00Z`)
    expect(await renewals(sold)).toEqual([])
    expect(await templatesOf(sold)).toEqual(['renewal_refused'])
    const mail = await refusalOf(sold)
    expect(mail).toMatchObject({ recipient_address: 'ana@example.es', state: 'sent' })
    for (const part of ['30/11/2027', 'Viajero 1: en la fecha de inicio se admiten viajeros de 0 a 74 años; tendría 75.', 'Llámenos'])
      expect(mail?.text_body).toContain(part)
    const later = { ...sold, seller: await sellerOf(app) }
    expect(await tasksOf(later)).toEqual(['renewal_impossible'])
    const { history } = await detailOf(later, sold.policyUuid)
    expect(history.filter(({ what }: { what: string }) => what === 'renewal_impossible')).toHaveLength(1)
    expect(await tasksOf(later)).toEqual([])
  })

  it('is a task without an email where the policyholder has no address', async () => {
    const sold = await app.soldUntil(first)
    await app.world.database.asPrivacy(tx =>
      tx.updateTable('policy_people').set({ email: null }).where('policy_id', '=', sold.policyUuid).execute(),
    )
    await playNight()
    expect([await renewals(sold), await templatesOf(sold), await tasksOf(sold)]).toEqual([[], [], ['renewal_impossible']])
  })

  it('says that the unit no longer sells the product', async () => {
    const sold = await app.soldUntil(first)
    const sells = (enabled: boolean) =>
      app.world.database.asService(tx =>
        sql`update unit_products set enabled = ${enabled} where product_id = (select product_id from policies where id = ${sold.policyUuid})`.execute(
          tx,
        ),
      )
    await sells(false)
    await playNight()
    await sells(true)
    const mail = await refusalOf(sold)
    expect(mail?.text_body).toContain('Este seguro ya no se vende.')
    expect(await renewals(sold)).toEqual([])
  })

  it('is not refused for a form of payment that the agency lacks, but tried again', async () => {
    const sold = await app.soldUntil(first)
    const { kysely } = app.world.database
    const removed = await kysely.deleteFrom('unit_gateways').returningAll().execute()
    await playNight()
    await kysely.insertInto('unit_gateways').values(removed).execute()
    expect(await mailsAbout(sold.policyUuid)).not.toContainEqual(expect.objectContaining({ template: 'renewal_refused' }))
    expect(await tasksOf(sold)).toEqual([])
  })

  it('is none of a policy of one trip (C140)', async () => {
    app.setClock(sale)
    const seller = await sellerOf(app)
    const { policyUuid } = (await sellAs(seller, { startDate: '2026-12-01', endDate: '2026-12-08' })).body.data.policyData
    const sold = { seller, policyUuid }
    await playNight('2026-11-21T06:00:00Z')
    expect([await renewals(sold), await templatesOf(sold), await tasksOf({ seller: await sellerOf(app), policyUuid })]).toEqual([
      [],
      [],
      [],
    ])
  })
})

it('a unit in another time zone has its own six in the morning', async () => {
  await setUnit(sql`settings = jsonb_set(settings, '{timeZone}', '"America/New_York"'), version = version + 1`)
  const sold = await app.soldUntil(first)
  await playNight('2027-10-31T09:59:00Z')
  expect(await renewals(sold)).toEqual([])
  await playNight('2027-10-31T10:00:00Z')
  expect(await renewals(sold)).toHaveLength(1)
})
