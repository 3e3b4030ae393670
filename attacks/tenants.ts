import assert from 'node:assert/strict'
import { readXlsx } from 'hucre/xlsx'
import { type Agent, productOf, quoteBody, register, saleBody, signIn } from '#testing/agent.ts'
import { policyNumber } from '#common/policies/number.ts'
import { type Case, type Scenario, references } from './scenario.ts'
import { until } from '#tools/until.ts'

const unknown = '019aa000-0000-7000-8000-000000000000'
const timeless = (text: string): string => text.replace(/"requestId":"[^"]+"/, '')

/** Returns the references of all listed policies, page by page. */
async function listReferences(agent: Agent, filter: object): Promise<string[]> {
  const found: string[] = []
  for (let page = 1; ; page++) {
    const reply = await agent.ask('/api/policy/list', { body: { ...filter, page, perPage: 100 } })
    assert.equal(reply.status, 200)
    const { policies, totalPages } = reply.body.data
    found.push(...policies.map(({ buReference }: { buReference: string }) => buReference))
    if (page >= totalPages) return found
  }
}

/** Returns the references in the exported workbook. */
async function exportReferences({ target }: Scenario, agent: Agent, filter: object): Promise<string[]> {
  const answer = await fetch(new URL('/api/policy/list', target.origin), {
    method: 'POST',
    headers: { ...agent.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...filter, export: true }),
  })
  assert.equal(answer.status, 200)
  const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()))
  const [head = [], ...rows] = sheets[0]?.rows ?? []
  assert.equal(head.length, 12)
  return rows.map(row => String(row[8]))
}

/** Group A of the attack cases: tenant isolation and permissions. */
export const tenants: Case[] = [
  {
    id: 'A01',
    title: 'details of another agency’s policy',
    needs: ['POST /api/policy/detail'],
    quick: true,
    async run({ a, sold }) {
      const send = async (policyUuid: string) => a.ask('/api/policy/detail', { body: { policyUuid } })
      const [foreign, none] = [await send(sold.b.policyUuid), await send(unknown)]
      assert.equal(foreign.status, 404)
      assert.equal(timeless(foreign.text), timeless(none.text))
    },
  },
  {
    id: 'A02',
    title: 'deleting another agency’s quote',
    quick: true,
    async run({ a, budget }) {
      for (const policyUuid of [budget.b.policyUuid, unknown])
        assert.equal((await a.ask('/api/policy', { method: 'DELETE', body: { policyUuid } })).status, 404)
    },
  },
  {
    id: 'A04',
    title: 'another agency’s certificates emailed to the attacker',
    needs: ['POST /api/policy/sendCertificates'],
    quick: true,
    async run({ a, ask, sold }) {
      const body = { policyUuid: sold.b.policyUuid, emails: ['thief@evil.example'], files: [] }
      assert.equal((await a.ask('/api/policy/sendCertificates', { body })).status, 404)
      assert.ok(!(await ask('/dev/mail.json')).text.includes('thief@evil.example'))
    },
  },
  {
    id: 'A05',
    title: 'an own bearer with another agency’s unit token',
    quick: true,
    denied: 2,
    async run({ a, b }) {
      for (const path of ['/api/business-unit/settings', '/api/products'])
        assert.equal(
          (
            await a.ask(path, {
              ...(path.endsWith('s') && path !== '/api/business-unit/settings' ? { body: {} } : {}),
              headers: { 'x-bunit-token': b.unitToken },
            })
          ).status,
          403,
        )
    },
  },
  {
    id: 'A07',
    title: 'forged unit tokens',
    quick: true,
    denied: 4,
    async run({ a }) {
      const flipped = a.unitToken.replace(/.$/, last => (last === 'A' ? 'B' : 'A'))
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(`{"unit":"${a.unitId}"}`).toString('base64url')}.`
      for (const token of [flipped, unsigned, a.unitId, ''])
        assert.equal((await a.ask('/api/business-unit/settings', { headers: { 'x-bunit-token': token } })).status, 403, token)
    },
  },
  {
    id: 'A08',
    title: 'another agency’s products by its id in the body',
    quick: true,
    async run({ a, b }) {
      const reply = await a.ask('/api/products', { body: { businessUnitUuid: b.unitId } })
      if (reply.status === 200) assert.deepEqual(reply.body.data, a.products)
      else assert.ok([403, 404, 422].includes(reply.status), String(reply.status))
    },
  },
  {
    id: 'A10',
    title: 'another agency’s policies in lists, sums and exports',
    needs: ['POST /api/policy/list', 'POST /api/policy/totals'],
    quick: true,
    async run(scenario) {
      const { a, b, sold } = scenario
      const filters = [
        { searchData: '' },
        { searchData: references.b },
        { searchData: sold.b.policyData.policyNumber },
        { searchData: '', policyUuids: [sold.a.policyUuid, sold.b.policyUuid] },
      ]
      for (const filter of filters) {
        const label = JSON.stringify(filter)
        const [listed, written] = [await listReferences(a, filter), await exportReferences(scenario, a, filter)]
        for (const found of [listed, written]) {
          assert.ok(!found.includes(references.b), `${label}: contains another agency’s`)
          assert.equal(found.includes(references.a), filter.searchData === '', `${label}: own policies`)
        }
        const { sums } = (await a.ask('/api/policy/list', { body: filter })).body.data
        if (filter.searchData !== '') assert.equal(sums.total, 0, `${label}: adds up another agency’s`)
        const totals = { ...sums, matches: sums.policies }
        if (!('policyUuids' in filter)) assert.deepEqual((await a.ask('/api/policy/totals', { body: filter })).body.data, totals)
        // The owner finds the policy, which shows that the attack could succeed.
        for (const found of [await listReferences(b, filter), await exportReferences(scenario, b, filter)]) {
          assert.ok(found.includes(references.b), `${label}: not found by its owner`)
          assert.ok(!found.includes(references.a), `${label}: the other way round`)
        }
      }
    },
  },
  {
    id: 'A10b',
    title: 'saved views of another agency and of a colleague, and another agency’s agents',
    needs: [
      'POST /api/policy/views',
      'PUT /api/policy/views',
      'DELETE /api/policy/views',
      'POST /api/policy/agents',
      'POST /api/tickets/views',
      'PUT /api/tickets/views',
      'DELETE /api/tickets/views',
    ],
    quick: true,
    bothAct: true,
    async run({ a, b, manager }) {
      for (const [views, view] of [
        ['/api/policy/views', { list: 'purchased', name: 'Attacked', params: {}, hidden: [] }],
        ['/api/tickets/views', { list: 'claim', name: 'Attacked', params: {} }],
      ] as const) {
        const { list } = view
        const { viewUuid } = (await a.ask(views, { method: 'PUT', body: view })).body.data
        for (const other of [b, manager]) {
          assert.equal((await other.ask(views, { method: 'DELETE', body: { viewUuid } })).status, 404)
          assert.ok(!(await other.ask(views, { body: { list } })).text.includes(viewUuid))
          // With the same name, each user has a view of their own.
          const own = (await other.ask(views, { method: 'PUT', body: view })).body.data.viewUuid
          assert.notEqual(own, viewUuid)
          assert.equal((await other.ask(views, { method: 'DELETE', body: { viewUuid: own } })).status, 200)
        }
        assert.equal((await a.ask(views, { method: 'DELETE', body: { viewUuid } })).status, 200)
      }
      const agentsOf = async (agent: Agent): Promise<string[]> =>
        (await agent.ask('/api/policy/agents', { body: { list: 'purchased' } })).body.data.agents.map(({ uuid }: { uuid: string }) => uuid)
      const [ours, theirs] = [await agentsOf(a), await agentsOf(b)]
      assert.ok(ours.length > 0 && theirs.length > 0)
      assert.ok(!ours.some(uuid => theirs.includes(uuid)))
      const foreign = (await a.ask('/api/policy/list', { body: { sellerUuid: theirs[0] } })).body.data
      assert.deepEqual([foreign.total, foreign.sums.total], [0, 0])
    },
  },
  {
    id: 'A11',
    title: 'a viewer tries to sell',
    quick: true,
    denied: 4,
    async run({ a, viewer, budget }) {
      const by = viewer.headers
      const body = saleBody(a)
      const replies = [
        await a.ask('/api/quotes', { body: quoteBody(a), headers: by }),
        await a.ask('/api/policy/register', { body, headers: by }),
        await a.ask('/api/policy/purchase', {
          body: { purchaseUUID: budget.a.purchaseUUID, paymentGatewayUUID: a.gateway('Deferred') },
          headers: by,
        }),
        await a.ask('/api/policy', { method: 'DELETE', body: { policyUuid: budget.a.policyUuid }, headers: by }),
      ]
      assert.deepEqual(
        replies.map(({ status }) => status),
        [403, 403, 403, 403],
      )
    },
  },
  {
    id: 'A13',
    title: 'a product, a gateway or a quote of another agency',
    quick: true,
    async run({ a, b, budget, target }) {
      const { uuid: foreign } = productOf(b, 'TOT')
      const sells = (enabled: boolean) =>
        target.sql('update unit_products set enabled = $1 where product_id = $2 and business_unit_id = $3', [enabled, foreign, a.unitId])
      const quoted = async () => (await a.ask('/api/quotes', { body: quoteBody(a, { productUUID: foreign }) })).status
      await sells(false)
      try {
        // An agency's products are cached for a second.
        await until('a 404 to the removed', async () => (await quoted()) === 404)
        assert.equal((await register(a, { productUUID: foreign })).status, 404)
      } finally {
        await sells(true)
        await until('no 404 any more', async () => (await quoted()) !== 404)
      }
      assert.notEqual(b.gateway('Deferred'), a.gateway('Deferred'))
      assert.equal((await register(a, { paymentGatewayUUID: b.gateway('Deferred') })).status, 422)
      assert.equal((await register(a, { policyUuid: budget.b.policyUuid })).status, 404)
      const bought = await a.ask('/api/policy/purchase', {
        body: { purchaseUUID: budget.b.purchaseUUID, paymentGatewayUUID: a.gateway('Deferred') },
      })
      assert.equal(bought.status, 404)
    },
  },
  {
    id: 'A14',
    title: 'access after leaving the agency',
    quick: true,
    async run({ ask, target }) {
      // No other case uses this user's session.
      const former = await signIn(ask, 'multi@portolan.example')
      const settings = () => former.ask('/api/business-unit/settings')
      assert.equal((await settings()).status, 200)
      const change = (active: boolean) =>
        target.sql('update memberships set active = $1 where user_id = $2 and business_unit_id = $3', [
          active,
          former.user.uuid,
          former.unitId,
        ])
      await change(false)
      const refused = await settings()
      await change(true)
      assert.equal(refused.status, 403)
      await target.sql('update sessions set ended_at = now() where user_id = $1', [former.user.uuid])
      assert.equal((await settings()).status, 401)
    },
  },
  {
    id: 'A16',
    title: 'a support request about another agency’s policy',
    needs: ['POST /api/tickets/requests', 'GET /api/tickets/types'],
    async run({ a, sold }) {
      const types: { uuid: string; kind: string }[] = (await a.ask('/api/tickets/types')).body.data
      const typeUuid = types.find(({ kind }) => kind === 'request')?.uuid
      const body = { typeUuid, subject: 'x', description: 'About a policy', contactEmail: 'ana@example.es', contactPhone: '612345678' }
      const send = (policyNumber: string) => a.ask('/api/tickets/requests', { body: { ...body, policyNumber } })
      const { policyNumber: own } = sold.a.policyData
      const { policyNumber: others } = sold.b.policyData
      const nobodys = policyNumber(7_000_000)
      const [foreign, none] = [await send(others), await send(nobodys)]
      assert.notEqual(foreign.status, 200)
      assert.equal(timeless(foreign.text).replaceAll(others, ''), timeless(none.text).replaceAll(nobodys, ''))
      assert.equal((await send(own)).status, 200)
    },
  },
  {
    id: 'A114',
    title: 'the agency’s bank details without permission',
    quick: true,
    async run({ viewer, a }) {
      const label = await viewer.ask('/api/business-unit/settings')
      assert.equal(label.status, 200)
      assert.ok(!label.text.includes('ES91'))
      assert.ok((await a.ask('/api/business-unit/settings')).text.includes('ES91'))
      assert.equal((await viewer.ask('/api/agency')).status, 403)
    },
  },
  {
    id: 'A115',
    title: 'a manager ends the sessions of a user of two agencies',
    quick: true,
    bothAct: true,
    async run({ ask, manager, target }) {
      const multi = await signIn(ask, 'multi@portolan.example')
      const [here, there]: { uuid: string; token: string }[] = multi.user.businessUnits
      const statusIn = async (unit: { token: string } | undefined) =>
        (await multi.ask('/api/business-unit/settings', { headers: { 'x-bunit-token': unit?.token ?? '' } })).status
      const listed: { uuid: string; sessions: number | null }[] = (await manager.ask('/api/agency/users')).body.data.users
      assert.equal(listed.find(({ uuid }) => uuid === multi.user.uuid)?.sessions, null)
      try {
        assert.equal((await manager.ask(`/api/agency/users/${multi.user.uuid}/end-sessions`, { body: {} })).status, 200)
        assert.deepEqual([await statusIn(here), await statusIn(there)], [403, 200])
      } finally {
        await target.sql('update memberships set access_from = null')
      }
    },
  },
  {
    id: 'A127',
    title: 'an invitation that tells whether its address has a user elsewhere',
    quick: true,
    bothAct: true,
    async run({ manager, b }) {
      const invited = []
      for (const email of ['agent@rotta.example', 'unknown@e.example']) {
        const body = { name: 'Ana Gil', email, roles: ['viewer'] }
        const { uuid }: { uuid: string } = (await manager.ask('/api/agency/users', { body })).body.data
        invited.push(uuid)
        assert.equal((await manager.ask(`/api/agency/users/${uuid}`, { method: 'DELETE', body: {} })).status, 200)
      }
      assert.ok(!invited.includes(b.user.uuid))
      // An id that begins with a time would be older than the invitation.
      assert.deepEqual(
        invited.map(uuid => uuid[14]),
        ['8', '8'],
      )
    },
  },
  {
    id: 'A129',
    title: 'two hundred ids that one user tries',
    quick: true,
    denied: 200,
    async run({ viewer, target }) {
      const count = async () => Number((await target.sql('select count(*)::int as count from audit'))[0]?.['count'])
      const [before, began] = [await count(), performance.now()]
      for (let round = 0; round < 200; round++)
        assert.equal((await viewer.ask('/api/policy/detail', { body: { policyUuid: crypto.randomUUID() } })).status, 404)
      // Sixty a minute have an entry each; the others are counted with one of their hour, or two if an hour ends meanwhile.
      const most = 60 * (1 + (performance.now() - began) / 60_000) + 2
      const rows = (await count()) - before
      assert.ok(rows <= most, `${rows} rows in the audit log`)
    },
  },
]
