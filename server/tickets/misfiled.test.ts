import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { reach, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { auditRows, type SignedIn, signIn } from '#server/session/testing.ts'

let app: TestApp
let seller: Seller
let admin: SignedIn
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  admin = await signIn(app, 'admin@portolan.example')
})
afterAll(() => app.stop())

const post = (path: string, body: object) => app.ask(path, { body, headers: seller.headers })
const mark = (uuid: string, misfiled: unknown, user: SignedIn = admin) =>
  app.ask(`/api/tickets/${uuid}/misfiled`, { method: 'PUT', body: { misfiled }, headers: user.headers })

async function file(kind: 'claim' | 'request', policyNumber?: string): Promise<string> {
  const types: { uuid: string; kind: string }[] = (await app.ask('/api/tickets/types', { headers: seller.headers })).body.data
  const filed = await post(`/api/tickets/${kind}s`, {
    typeUuid: types.find(type => type.kind === kind)?.uuid,
    subject: 'Por error',
    description: 'Otra póliza',
    contactEmail: reach.email,
    contactPhone: '+34 612 345 678',
    ...(policyNumber ? { policyNumber, incidentDate: '2026-01-15' } : {}),
  })
  return filed.body.data.ticketUuid
}

async function soldWithClaim() {
  const { policyUuid, policyNumber } = (await sellAs(seller)).body.data.policyData
  const claim = await file('claim', policyNumber)
  const ending = async () => (await post('/api/policy/cancel/preview', { policyUuid, version: 1, as: 'cancellation' })).body.data
  return { policyUuid, claim, ending }
}

describe('a claim that was filed by mistake', () => {
  it('counts until support marks it, and again when the mark is removed', async () => {
    const { policyUuid, claim, ending } = await soldWithClaim()
    expect(await ending()).toMatchObject({ possible: false, refusals: [{ code: 'cancel.claimed' }] })
    expect((await mark(claim, true)).body.data).toEqual({ misfiled: true })
    expect((await mark(claim, true)).status).toBe(200)
    expect(await ending()).toMatchObject({ possible: true, refund: 33.76 })
    expect((await post('/api/tickets/detail', { ticketUuid: claim })).body.data.misfiled).toBe(true)
    expect((await auditRows(app, 'ticket.misfiled')).filter(({ object }) => object === claim)).toMatchObject([
      { outcome: 'done', details: { from: false, to: true } },
    ])
    await mark(claim, false)
    const cancel = { policyUuid, version: 1, expectedRefund: 33.76, reason: 'other' }
    expect((await post('/api/policy/cancel', cancel)).body.error).toBe('cancel.claimed')
    await mark(claim, true)
    expect((await post('/api/policy/cancel', cancel)).body.data.refund.amount).toBe(33.76)
  })

  it('leaves another claim on the policy, which still counts', async () => {
    const { claim, ending, policyUuid } = await soldWithClaim()
    const { policyNumber } = (await post('/api/policy/detail', { policyUuid })).body.data.policy
    await file('claim', policyNumber)
    await mark(claim, true)
    expect(await ending()).toMatchObject({ refusals: [{ code: 'cancel.claimed' }] })
  })

  it('is marked by support alone, and only if it is a claim', async () => {
    const { claim, ending } = await soldWithClaim()
    expect((await mark(claim, true, seller)).status).toBe(403)
    expect((await mark(await file('request'), true)).status).toBe(409)
    expect((await mark(crypto.randomUUID(), true)).status).toBe(404)
    expect((await mark(claim, 'yes')).body.fields).toMatchObject([{ path: 'misfiled', rule: 'type' }])
    expect(await ending()).toMatchObject({ possible: false })
  })
})
