import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Json, Reply } from '#testing/agent.ts'
import type { Case } from '../scenario.ts'
import { agentAsks, ask, sellTo, shapeOf, standingOf, statement } from './ask.ts'

/** Group K of the attack cases: the link by which a client opens a policy, without a session. */
export const links: Case[] = [
  {
    id: 'K107',
    title: 'guessed, malformed and expired tokens of a client’s link',
    quick: true,
    denied: 1,
    needs: ['POST /api/client/policy', 'POST /api/client/file', 'POST /api/client/request', 'POST /api/client/withdraw'],
    async run(scenario) {
      const sold = await sellTo(scenario, scenario.a)
      const rest: Record<string, object> = {
        policy: {},
        file: { fileUuid: randomUUID() },
        request: { description: 'x' },
        withdraw: statement(''),
      }
      const { target } = scenario
      const hash = `sha256(convert_to($1, 'utf8'))`
      const known = await target.sql(`select 1 from client_tokens where token_hash = ${hash}`, [sold.token])
      assert.equal(known.length, 1, 'tokens are not stored as this hash')
      await target.sql(`update client_tokens set expires_at = now() - interval '1 s' where token_hash = ${hash}`, [sold.token])
      for (const [call, more] of Object.entries(rest)) {
        const tokens = [sold.token, 'A'.repeat(22), `${sold.token}A`, sold.token.slice(0, 21), '', '%', sold.policyUuid, sold.number]
        const shapes = await Promise.all(tokens.map(async token => shapeOf(await ask(scenario, call, { ...more, token }))))
        assert.equal(new Set(shapes).size, 1, `${call} answers ${[...new Set(shapes)].join(' and ')}`)
        assert.match(shapes[0] ?? '', /^\[404,.*"request.not_found"/)
      }
      for (const token of [null, 1, [sold.token], { $ne: '' }]) assert.equal((await ask(scenario, 'policy', { token })).status, 422)
      const guesses: Reply[] = []
      while (guesses.length < 100) guesses.push(await ask(scenario, 'policy', { token: randomUUID().slice(0, 22) }, { from: '127.0.6.1' }))
      assert.deepEqual(
        [404, 429].map(wanted => guesses.filter(({ status }) => status === wanted).length),
        [60, 40],
      )
      assert.ok(guesses.slice(60).every(({ headers }) => Number(headers.get('retry-after')) > 0))
      assert.equal((await ask(scenario, 'policy', { token: 'x' }, { from: '127.0.6.2' })).status, 404)
    },
  },
  {
    id: 'K108',
    title: 'a client’s token in an address, with a session, and for another policy’s documents',
    quick: true,
    async run(scenario) {
      const { a, b, target } = scenario
      const [own, foreign] = [await sellTo(scenario, a), await sellTo(scenario, a)]
      const logged = target.log().length
      const { token } = own
      const tries = [
        await ask(scenario, `/api/client/policy?token=${token}`, {}),
        await ask(scenario, `/api/client/policy?token=${token}`, {}, { method: 'GET' }),
        await ask(scenario, `/api/client/policy/${token}`, {}),
        await ask(scenario, 'policy', {}, { headers: { authorization: `Bearer ${token}`, cookie: `token=${token}` } }),
        await ask(scenario, '/api/policy/detail', { policyUuid: own.policyUuid }, { headers: { authorization: `Bearer ${token}` } }),
      ]
      for (const { status } of tries) assert.ok([401, 404, 405, 422].includes(status), `a token elsewhere got ${status}`)
      await ask(scenario, `/my-policy?token=${token}`, {}, { method: 'GET' })
      const page = await ask(scenario, 'policy', { token })
      assert.deepEqual([page.status, page.headers.get('cache-control'), page.headers.get('set-cookie')], [200, 'no-store', null])
      // A session of another agency neither helps nor harms the bearer of a link.
      assert.equal((await ask(scenario, 'policy', { token }, { headers: b.headers })).text, page.text)
      const [file] = page.body.data.can.documents
      assert.equal((await ask(scenario, 'file', { token: foreign.token, fileUuid: file.uuid })).status, 404)
      assert.equal((await ask(scenario, 'file', { token, fileUuid: randomUUID() })).status, 404)
      assert.equal((await ask(scenario, 'file', { token, fileUuid: `${file.uuid}/../x` })).status, 422)
      const sent = await ask(scenario, 'file', { token, fileUuid: file.uuid })
      assert.deepEqual([sent.status, sent.headers.get('cache-control'), sent.text.slice(0, 5)], [200, 'private, no-store', '%PDF-'])
      for (const [call, field] of [
        ['policy', 'policyUuid'],
        ['file', 'policyUuid'],
        ['request', 'policyUuid'],
        ['withdraw', 'policyUuid'],
      ] as const)
        assert.equal((await ask(scenario, call, { ...statement(token), [field]: foreign.policyUuid })).status, 422, call)
      const isLogged = (text: string) => target.log().includes(text, logged)
      assert.ok(isLogged('/api/client/policy'), 'the log has no calls')
      for (const secret of [token, foreign.token]) assert.ok(!isLogged(secret), 'a token is in the log')
      const held = await target.sql(`select 1 from audit where audit::text like $1`, [`%${token}%`])
      assert.equal(held.length, 0, 'a token is in the audit log')
    },
  },
  {
    id: 'K111',
    title: 'a client’s link after its policy was cancelled',
    quick: true,
    async run(scenario) {
      const { a } = scenario
      const sold = await sellTo(scenario, a)
      const { policyUuid, token } = sold
      const before = (await ask(scenario, 'policy', { token })).body.data
      const { refund } = await agentAsks(a, 'cancel/preview', { policyUuid, version: 1, as: 'cancellation' })
      const cancelled = await a.ask('/api/policy/cancel', { body: { policyUuid, version: 1, expectedRefund: refund, reason: 'other' } })
      assert.equal(cancelled.status, 200, cancelled.text)
      const after = (await ask(scenario, 'policy', { token })).body.data
      assert.ok(['cancelled', 'withdrawn'].includes(after.status), after.status)
      assert.deepEqual([after.can.withdraw, after.can.change_request], [null, false])
      const withdrawn = await ask(scenario, 'withdraw', { ...statement(token), version: 2 })
      assert.deepEqual([withdrawn.status, withdrawn.body.error], [409, 'cancel.already'])
      assert.equal((await ask(scenario, 'request', { token, description: 'x' })).status, 409)
      for (const { uuid } of before.can.documents.filter(({ uuid }: Json) => !after.can.documents.some((each: Json) => each.uuid === uuid)))
        assert.equal((await ask(scenario, 'file', { token, fileUuid: uuid })).status, 404)
      assert.deepEqual(await standingOf(scenario, policyUuid), { status: 'cancelled', deeds: 1, statements: 0 })
    },
  },
]
