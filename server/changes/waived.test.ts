import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { today } from '#common/kit/dates.ts'
import { type Locale, locales } from '#common/kit/locales.ts'
import { formatMoney } from '#common/kit/money.ts'
import { readPdf } from '#server/documents/movements/testing.ts'
import { type CardApp, cardApp, intentOf, payBy, reconcileLater } from '#server/policies/testing-cards.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'

let app: CardApp
let seller: Seller
beforeAll(async () => {
  app = await cardApp()
  seller = await sellerOf(app)
  // A unit that takes cards alone waives what is too small for a card.
  await app.world.database.kysely.updateTable('unit_gateways').set({ enabled: false }).where('name', '=', 'Deferred').execute()
})
afterEach(async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

const post = async (path: string, body: unknown) => {
  const reply = await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
  expect([path, reply.status, reply.text]).toEqual([path, 200, reply.text])
  return reply.body.data
}
const mails = async (policyUuid: string) => {
  await app.world.outbox.drain()
  const rows = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', policyUuid).orderBy('id').execute()
  return rows.map(({ template, text_body: text }) => ({ template, text: (text ?? '').replaceAll(/\s/g, ' ') }))
}
const inWords = (amount: number): string => amount.toFixed(2).replace('.', ',')

/** Sells by card for a trip of 1,500 €, and makes the trip so little dearer that the difference is waived. */
async function soldAndWaived(locale: Locale = 'es-ES') {
  const gateway = { paymentGatewayUUID: seller.gateway('StripeV2') }
  const reservationDate = today(new Date(), 'Europe/Madrid')
  const sale = (
    await registerAs(seller, {
      ...gateway,
      productUUID: seller.products.find(({ code }) => code === 'CAN').uuid,
      insurancedAmount: 1500,
      reservationDate,
      locale,
    })
  ).body.data
  await payBy(app, sale.clientSecret)
  await purchaseAs(seller, { ...gateway, purchaseUUID: sale.purchaseUUID })
  const { policyUuid, clientSecret }: { policyUuid: string; clientSecret: string } = sale
  const asked = { policyUuid, version: 1, change: { insurancedAmount: 1510, reservationDate } }
  const preview = await post('change/preview', asked)
  const made = await post('change', { ...asked, expectedDifference: preview.difference.total })
  return { policyUuid, clientSecret, paid: preview.before.total, waived: preview.waived, made }
}

it('a charge too small for a card is waived, and mailed as if nothing was charged', async () => {
  const { policyUuid, waived, made } = await soldAndWaived()
  expect(waived).toBeGreaterThan(0)
  expect(waived).toBeLessThan(0.5)
  expect(made).toMatchObject({ state: 'done', charge: 0, refund: 0, routes: [] })
  const { policy } = await post('change/terms', { policyUuid })
  expect(policy.waived).toBe(Math.round(waived * 100))
  const mail = (await mails(policyUuid)).find(({ template }) => template === 'policy_changed')
  expect(mail?.text).not.toContain(`${inWords(waived)} €`)
})

it('a waived part is not given back by a cancellation, and no reply or mail says so', async () => {
  const { policyUuid, paid, waived } = await soldAndWaived()
  const preview = await post('cancel/preview', { policyUuid, version: 2 })
  expect(preview).toMatchObject({ refund: paid, withoutWay: 0, routes: [{ amount: paid }] })
  expect(preview.options[0].refund).toBe(paid)
  const ended = await post('cancel', { policyUuid, version: 2, expectedRefund: paid, reason: 'other' })
  expect(ended).toMatchObject({ refund: { amount: paid, routes: [{ amount: paid }] } })
  const mail = (await mails(policyUuid)).find(({ template }) => template === 'policy_cancelled')
  expect(mail?.text).toContain(`${inWords(paid)} €`)
  expect(mail?.text).not.toContain(inWords(paid + waived))
})

it.each(locales)('the credit note in %s says which part was never paid and does not come back', async locale => {
  const { policyUuid, paid, waived } = await soldAndWaived(locale)
  const { files } = await post('cancel', { policyUuid, version: 2, expectedRefund: paid, reason: 'other' })
  const words = app.world.words(locale)
  const note = files.find(({ name }: { name: string }) => name.startsWith(words('documents.credit_note')))
  const { rawPayload } = await app.context.http.inject({ url: note?.file ?? '', headers: seller.headers })
  const { text } = await readPdf(rawPayload)
  const money = (amount: number) => formatMoney(Math.round(amount * 100), locale, 'EUR')
  const written = (said: string) => said.replaceAll(/\s+/g, ' ')
  expect(text).toContain(written(words('documents.credit_note.waived', { amount: money(waived) })))
  expect(text).toContain(written(`${words('documents.credit_note.amount')} ${money(paid)}`))
  expect(text).toContain(written(`${words('documents.total')} ${money(paid + waived)}`))
  // A tax of zero has no sign.
  expect(text).not.toMatch(/[-−]0[.,]00/)
})

it('a reinstatement charges what came back, and not what was waived', async () => {
  const { policyUuid, clientSecret, paid, waived } = await soldAndWaived()
  await post('cancel', { policyUuid, version: 2, expectedRefund: paid, reason: 'other' })
  await reconcileLater(app, 61)
  expect(intentOf(app, clientSecret)?.refunded).toBe(Math.round(paid * 100))
  expect(await post('reinstate/preview', { policyUuid, version: 3 })).toMatchObject({ charge: paid, stopped: 0 })
  const asked = await post('reinstate', { policyUuid, version: 3, expectedCharge: paid })
  expect(asked).toMatchObject({ state: 'awaiting_payment', charge: paid })
  expect((await post('change/terms', { policyUuid })).openChange.charge).toBe(paid)
  await payBy(app, asked.clientSecret)
  const back = await post('change/pay', { changeUuid: asked.changeUuid })
  expect(back).toMatchObject({ state: 'done', charge: paid, policyData: { total: Number((paid + waived).toFixed(2)) } })
})

it('a reinstatement within the hour stops the refund, and charges nothing', async () => {
  const { policyUuid, paid } = await soldAndWaived()
  await post('cancel', { policyUuid, version: 2, expectedRefund: paid, reason: 'other' })
  expect(await post('reinstate', { policyUuid, version: 3, expectedCharge: 0 })).toMatchObject({ state: 'done', charge: 0, stopped: paid })
})

it('an undo of a waived charge moves no money', async () => {
  const { policyUuid, paid } = await soldAndWaived()
  expect(await post('change/undo', { policyUuid, version: 2 })).toMatchObject({
    charge: 0,
    refund: 0,
    routes: [],
    policyData: { total: paid },
  })
})
