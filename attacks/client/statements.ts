import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { ana } from '#testing/agent.ts'
import type { Case } from '../scenario.ts'
import { agentAsks, ask, sellTo, standingOf, statement, tokenFor, untouched, withKey } from './ask.ts'

/** Group K of the attack cases: requests of clients, such as a withdrawal, a wish, or a search for the lost link. */
export const statements: Case[] = [
  {
    id: 'K109',
    title: 'a withdrawal sent twice, at once, tampered, for another version, or by a forwarded link',
    quick: true,
    async run(scenario) {
      const sold = await sellTo(scenario, scenario.a)
      const { policyUuid, token } = sold
      const right = statement(token)
      for (const more of [{ refund: 1 }, { amount: 99_999 }, { basis: 'FR30' }, { receivedAt: '2020-01-01' }, { status: 'x' }])
        assert.equal((await ask(scenario, 'withdraw', { ...right, ...more })).status, 422, JSON.stringify(more))
      for (const version of [0, 2, 1e9, 1.5, '1', null]) {
        const { status, body } = await ask(scenario, 'withdraw', { ...right, version })
        assert.deepEqual([status, body.fields?.[0]?.path], [422, 'version'], String(version))
      }
      for (const confirmTo of ['a@b.example\r\nBcc: e@e.example', 'a@b.example, e@e.example', 'A <a@b.example>', ''])
        assert.equal((await ask(scenario, 'withdraw', { ...right, confirmTo })).status, 422, confirmTo)
      await agentAsks(scenario.a, 'sendCertificates', { policyUuid, emails: ['leo@e.example'], files: [] })
      const forwarded = await tokenFor(scenario, policyUuid, 'leo@e.example')
      const other = await ask(scenario, 'withdraw', { ...right, token: forwarded })
      assert.deepEqual([other.status, other.body.error], [403, 'withdraw.not_holder'])
      assert.deepEqual(await standingOf(scenario, policyUuid), untouched)
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, index) => ask(scenario, 'withdraw', right, withKey(`K109-${index % 4}`))),
      )
      const first = replies[0]
      assert.equal(first?.status, 200, first?.text)
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
      for (const again of [{}, withKey('K109-0'), withKey('another')])
        assert.equal((await ask(scenario, 'withdraw', right, again)).text, first.text)
      // The key belongs to the statement that won; another body with it is another request.
      const keys = ['K109-0', 'K109-1', 'K109-2', 'K109-3']
      const renamed = await Promise.all(keys.map(key => ask(scenario, 'withdraw', { ...right, name: 'Mallory' }, withKey(key))))
      assert.deepEqual(renamed.map(({ body }) => String(body.error ?? body.data.name)).toSorted(), [
        ...Array<string>(3).fill(right.name),
        'idempotency.mismatch',
      ])
      assert.deepEqual(await standingOf(scenario, policyUuid), { status: 'cancelled', deeds: 1, statements: 1 })
      await scenario.target.drain()
      const mails = await scenario.target.sql(`select 1 from mails where about = $1 and template = 'withdrawal_received'`, [policyUuid])
      assert.equal(mails.length, 1)
    },
  },
  {
    id: 'K110',
    title: 'looking for a policy with two of three facts, and trying many of them',
    quick: true,
    needs: ['POST /api/client/find'],
    async run(scenario) {
      const [sold, other] = [await sellTo(scenario, scenario.a), await sellTo(scenario, scenario.a)]
      const { target } = scenario
      const right = { number: sold.number, docNumber: ana.docNumber, birthDate: ana.birthDate }
      const mailed = async (policyUuid: string) => {
        await target.drain()
        const mails = `select recipient_address as address from mails where about = $1 and template = 'policy_found'`
        return (await target.sql(mails, [policyUuid])).map(({ address }) => address)
      }
      try {
        const wrong = { ...right, number: other.number }
        const tries = [
          right,
          { ...wrong, docNumber: '00000000T' },
          { ...wrong, birthDate: '1990-05-06' },
          { ...wrong, docNumber: '' },
          { ...wrong, birthDate: '' },
          { ...right, number: '9999999-X' },
          { ...right, number: '' },
          { ...right, number: '%' },
          { ...right, number: "' or 1=1 --" },
        ]
        const replies = await Promise.all(tries.map(each => ask(scenario, 'find', each)))
        for (const { text, headers } of replies) assert.deepEqual([text, headers.get('set-cookie')], [replies[0]?.text, null])
        assert.deepEqual([replies[0]?.status, replies[0]?.body], [200, { code: 200, data: { sent: true } }])
        assert.deepEqual([await mailed(sold.policyUuid), await mailed(other.policyUuid)], [[ana.email], []])
        for (const extra of [{ email: 'mallory@e.example' }, { locale: 'xx' }])
          assert.equal((await ask(scenario, 'find', { ...right, ...extra })).status, 422)
        // The fifth try, in other spellings and all at once.
        const spelt = [
          other.number.toLowerCase(),
          ` ${other.number} `,
          other.number,
          other.number.replace('-', ' '),
          other.number,
          other.number,
        ]
        const last = await Promise.all(spelt.map(number => ask(scenario, 'find', { ...right, number, birthDate: '1980-01-01' })))
        assert.deepEqual(
          last.map(({ status }) => status).toSorted((x, y) => x - y),
          [200, 429, 429, 429, 429, 429],
        )
        assert.equal((await ask(scenario, 'find', { ...right, number: other.number })).status, 429)
        assert.deepEqual(await mailed(other.policyUuid), [])
        const unknown = []
        for (let index = 0; index < 6; index++) unknown.push((await ask(scenario, 'find', { ...right, number: '1234567-Z' })).status)
        assert.deepEqual(unknown, [200, 200, 200, 200, 200, 429])
        const network = await Promise.all(
          Array.from({ length: 30 }, (_, index) => ask(scenario, 'find', { ...right, number: `7${index}-A` }, { from: '127.0.6.3' })),
        )
        assert.equal(network.filter(({ status }) => status === 200).length, 20)
      } finally {
        await target.sql('delete from client_finds')
      }
    },
  },
  {
    id: 'K112',
    title: 'floods of a client’s requests, large ones, and ones with markup',
    quick: true,
    async run(scenario) {
      const { policyUuid, token } = await sellTo(scenario, scenario.a)
      const send = (description: string, key: string = randomUUID()) => ask(scenario, 'request', { token, description }, withKey(key))
      assert.equal((await send('x'.repeat(4001))).status, 422)
      assert.equal((await send('x'.repeat(20_000))).status, 413)
      for (const description of [' ', '\0', '\ud800']) assert.equal((await send(description)).status, 422)
      const one = `K112-${policyUuid}`
      const [first, again] = [await send('<script>alert(1)</script>\r\nBcc: e@e.example', one), await send('other', one)]
      assert.deepEqual([first.status, again.body.error], [200, 'idempotency.mismatch'])
      const more = await Promise.all(Array.from({ length: 9 }, (_, index) => send(`Nº ${index}`)))
      assert.equal(more.filter(({ status }) => status === 200).length, 4)
      assert.ok(more.every(({ status }) => status === 200 || status === 429))
      assert.deepEqual(await standingOf(scenario, policyUuid), untouched)
    },
  },
]
