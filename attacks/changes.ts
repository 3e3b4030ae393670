import assert from 'node:assert/strict'
import { addDays } from '#common/kit/dates.ts'
import { type Agent, type Json, sell } from '#testing/agent.ts'
import type { Case } from './scenario.ts'

const post = (agent: Agent, path: string, body: Json, key?: string) =>
  agent.ask(`/api/policy/${path}`, { body, ...(key ? { headers: { 'idempotency-key': key } } : {}) })

/** Creates a policy to be changed, and a valid change on which the attacks are based. */
async function changeable(agent: Agent) {
  const { policyUuid, policyData } = await sell(agent)
  const before = (await post(agent, 'change/terms', { policyUuid })).body.data.policy
  const change = { endDate: addDays(String(policyData.endDate), 4) }
  const settle = { paymentGatewayUUID: agent.gateway('Deferred') }
  const right = { policyUuid, version: 1, change, expectedDifference: 17.08, settle }
  const isAsBefore = async () => assert.deepEqual((await post(agent, 'change/terms', { policyUuid })).body.data.policy, before)
  return { policyUuid, before, right, isAsBefore }
}

const cancelling = (policyUuid: string) => ({ policyUuid, version: 1, expectedRefund: 33.76, reason: 'other' })

/** Group K of the attack cases: changes and cancellations of sold policies. After each attack, the policy is unchanged. */
export const changes: Case[] = [
  {
    id: 'K101',
    title: 'tampered amounts of a change or cancellation',
    quick: true,
    async run({ a }) {
      const { policyUuid, right, isAsBefore } = await changeable(a)
      for (const [expectedDifference, status] of [
        [0, 409],
        [-17.08, 409],
        [17.07, 409],
        [17.085, 422],
        ['17.08', 422],
        [null, 422],
        [undefined, 422],
        [1e300, 422],
      ] as const)
        assert.equal((await post(a, 'change', { ...right, expectedDifference })).status, status, String(expectedDifference))
      for (const [expectedRefund, status] of [
        [3376, 409],
        [33.77, 409],
        [33.765, 422],
        [undefined, 422],
      ] as const)
        assert.equal((await post(a, 'cancel', { ...cancelling(policyUuid), expectedRefund })).status, status, String(expectedRefund))
      await isAsBefore()
    },
  },
  {
    id: 'K102',
    title: 'stale and invented versions',
    quick: true,
    async run({ a }) {
      const { policyUuid, right, isAsBefore } = await changeable(a)
      for (const version of [0, 2, 1e6]) {
        const replies = [await post(a, 'change', { ...right, version }), await post(a, 'cancel', { ...cancelling(policyUuid), version })]
        for (const { status } of replies) assert.ok([409, 422].includes(status), `version ${version} got ${status}`)
      }
      for (const version of ['1', 1.5, null]) assert.equal((await post(a, 'change', { ...right, version })).status, 422)
      await isAsBefore()
    },
  },
  {
    id: 'K103',
    title: 'a change repeated with its key, another body or another key',
    quick: true,
    async run({ a }) {
      const { policyUuid, right } = await changeable(a)
      const first = await post(a, 'change', right, `K103-${policyUuid}`)
      assert.equal(first.status, 200, first.text)
      assert.equal((await post(a, 'change', right, `K103-${policyUuid}`)).text, first.text)
      const other = await post(a, 'change', { ...right, expectedDifference: 1 }, `K103-${policyUuid}`)
      assert.deepEqual([other.status, other.body.error], [422, 'idempotency.mismatch'])
      assert.equal((await post(a, 'change', right, `K103-${policyUuid} again`)).body.error, 'change.stale')
      assert.equal((await post(a, 'versions', { policyUuid })).body.data.length, 2)
    },
  },
  {
    id: 'K104',
    title: 'another agency’s policy, and the person of another policy',
    quick: true,
    async run({ a, b, sold }) {
      const own = await changeable(a)
      const foreign = {
        policyUuid: sold.b.policyUuid,
        before: (await post(b, 'change/terms', { policyUuid: sold.b.policyUuid })).body.data.policy,
      }
      for (const [path, body] of [
        ['change/terms', { policyUuid: foreign.policyUuid }],
        ['change/preview', { policyUuid: foreign.policyUuid, version: 1, change: {} }],
        ['change', { ...own.right, policyUuid: foreign.policyUuid }],
        ['cancel', cancelling(foreign.policyUuid)],
        ['versions', { policyUuid: foreign.policyUuid }],
      ] as const)
        assert.equal((await post(a, path, body)).status, 404, path)
      const other = await changeable(a)
      for (const { people } of [other.before, foreign.before]) {
        const users = [own.before.people[0], people[1]].map(({ personUuid }: Json) => ({ personUuid }))
        const reply = await post(a, 'change', { ...own.right, change: { users } })
        assert.equal(reply.status, 422, reply.text)
      }
      for (const each of [own, other]) await each.isAsBefore()
    },
  },
  {
    id: 'K105',
    title: 'unknown fields, dates that are none, amounts of fractions of a cent',
    quick: true,
    async run({ a }) {
      const { right, isAsBefore } = await changeable(a)
      for (const field of ['product', 'status', 'price', 'premium', 'commission', 'number', 'businessUnitUuid']) {
        assert.equal((await post(a, 'change', { ...right, [field]: 1 })).status, 422, field)
        assert.equal((await post(a, 'change', { ...right, change: { ...right.change, [field]: 1 } })).status, 422, field)
      }
      for (const change of [
        { endDate: '2026-02-30' },
        { startDate: 'tomorrow' },
        { insurancedAmount: 100.005 },
        { users: [] },
        { users: {} },
      ])
        assert.equal((await post(a, 'change', { ...right, change })).status, 422, JSON.stringify(change))
      await isAsBefore()
    },
  },
  {
    id: 'K106',
    title: 'a role without the permission changes or cancels, or marks a claim as a mistake',
    quick: true,
    async run({ a, viewer }) {
      const { policyUuid, right, isAsBefore } = await changeable(a)
      assert.equal((await post(viewer, 'change', right)).status, 403)
      assert.equal((await post(viewer, 'cancel', cancelling(policyUuid))).status, 403)
      for (const agent of [viewer, a]) {
        const reply = await agent.ask(`/api/tickets/${policyUuid}/misfiled`, { method: 'PUT', body: { misfiled: true } })
        assert.equal(reply.status, 403)
      }
      await isAsBefore()
    },
  },
]
