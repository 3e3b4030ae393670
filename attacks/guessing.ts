import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { begin, cookiesOf, demoPassword, signIn } from '#testing/agent.ts'
import type { Case, Scenario } from './scenario.ts'
import { loginFrom } from './sign-in.ts'

const countOf = async ({ target }: Scenario, from: string): Promise<number> =>
  Number((await target.sql(`select count(*)::int as count from ${from}`))[0]?.['count'])

/** Group B of the attack cases: guessing and flooding. */
export const guessing: Case[] = [
  {
    id: 'B111',
    title: 'three hundred requests to reset passwords of known and unknown addresses',
    quick: true,
    async run(scenario) {
      const before = await countOf(scenario, 'audit')
      const statuses: number[] = []
      try {
        for (let round = 0; round < 15; round++) {
          const emails = Array.from({ length: 20 }, (_, index) => (index < 2 ? 'agent@azahar.example' : `unknown-${index}@e.example`))
          const replies = await Promise.all(emails.map(email => scenario.ask('/api/auth/password/forgot', { body: { email } })))
          statuses.push(...replies.map(({ status }) => status))
        }
        await scenario.target.drain()
        assert.equal(statuses.filter(status => status === 200).length, 100)
        assert.equal(statuses.filter(status => status === 429).length, 200)
        // Each sent email has an audit row; all refusals together have three.
        const rows = (await countOf(scenario, 'audit')) - before
        assert.ok(rows <= 8, `${rows} rows in the audit log`)
      } finally {
        await scenario.target.sql('delete from sign_in_failures')
      }
    },
  },
  {
    id: 'B112',
    title: 'a second flow cookie, set by a sibling host',
    quick: true,
    async run({ ask }) {
      const [mine, theirs] = [await begin(ask, 'viewer@azahar.example'), await begin(ask, 'multi@portolan.example')]
      const opened = (token: string, cookie: string) => ask('/api/auth/session', { body: { token }, headers: { cookie } })
      for (const cookie of [
        `flow=${mine.flow}; flow=${theirs.flow}`,
        `flow=${theirs.flow};flow=${mine.flow}`,
        `flow=${mine.flow}; flow=`,
      ]) {
        assert.equal((await opened(theirs.token, cookie)).status, 401)
        assert.equal((await opened(mine.token, cookie)).status, 401)
      }
      assert.equal((await opened(mine.token, `other=1; flow=${mine.flow}; flows=2`)).status, 200)
    },
  },
  {
    id: 'B125',
    title: 'passwords that lists of attackers begin with',
    quick: true,
    async run({ a }) {
      for (const password of [
        'Password1234!',
        'qwertyuiop123',
        'aaaaaaaaaaaa',
        'agent@azahar.example',
        'Lucía Ferrer 1984',
        'viajes-azahar-1',
      ])
        assert.equal(
          (await a.ask('/api/users/me/password', { method: 'PUT', body: { current: demoPassword, password } })).status,
          422,
          password,
        )
    },
  },
  {
    id: 'B126',
    title: 'two hundred calls that a user’s permissions, role or the status of a policy refuse',
    quick: true,
    denied: 200,
    async run(scenario) {
      const { a, viewer, manager, sold, budget } = scenario
      const rows = await countOf(scenario, 'audit')
      const cancelling = { policyUuid: sold.a.policyUuid, version: 1, goodwill: 100, expectedRefund: 1, note: 'x' }
      const invited = { email: 'new@e.example', name: 'New', roles: ['admin'] }
      for (let round = 0; round < 50; round++)
        for (const reply of [
          await viewer.ask('/api/administration/users/list', { body: {} }),
          await viewer.ask('/api/policy/detail', { body: { policyUuid: budget.a.policyUuid } }),
          await a.ask('/api/policy/cancel', { body: cancelling }),
          await manager.ask('/api/agency/users', { body: invited }),
        ])
          assert.equal(reply.status, 403, reply.text)
      // Each of the four has one entry, or two if an hour ends meanwhile.
      assert.ok((await countOf(scenario, 'audit')) - rows <= 8)
    },
  },
  {
    id: 'B113',
    title: 'endless wrong second factors from many networks, while the owner still gets in',
    async run({ ask, target }) {
      const email = 'multi@portolan.example'
      const mine = await signIn(ask, email)
      const begun = (await mine.ask('/api/users/me/two-factor', { body: { password: demoPassword } })).body.data
      let step = Math.floor(Date.now() / 30_000)
      const code = () => totp(begun.secret, step)
      const steps = async () => {
        step += 2
        await target.clock((step + 0.5) * 30_000 - Date.now())
      }
      const guess = async (index: number, device = '') =>
        (await loginFrom(target.origin, `127.0.1.${index}`, { email, password: demoPassword, code: wrongFor(code()) }, '', device)).status
      try {
        assert.equal((await mine.ask('/api/users/me/two-factor/confirm', { body: { code: code() } })).status, 200)
        await steps()
        const known = await loginFrom(target.origin, '127.0.0.5', { email, password: demoPassword, code: code() })
        assert.equal(known.status, 200)
        const guesses: number[] = []
        for (let index = 1; index <= 150; index++) guesses.push(await guess(index))
        assert.deepEqual([guesses.filter(status => status === 401).length, guesses.filter(status => status === 429).length], [20, 130])
        await steps()
        const right = { email, password: demoPassword, code: code() }
        assert.equal((await loginFrom(target.origin, '127.0.0.6', right)).status, 429)
        assert.equal((await loginFrom(target.origin, '127.0.0.6', right, '', known.device)).status, 200)
        await ask('/api/auth/password/forgot', { body: { email } })
        await target.drain()
        const [mail] = await target.sql(
          `select text_body as text from mails where text_body like '%reset#token=%' order by at desc, id desc limit 1`,
        )
        const token = /#token=([\w-]+)/.exec(String(mail?.['text']))?.[1]
        const reset = await ask('/api/auth/password/reset', { body: { token, password: demoPassword } })
        await steps()
        const again = { ...right, code: code() }
        assert.equal((await loginFrom(target.origin, '127.0.0.7', again, '', `device=${cookiesOf(reset)['device']}`)).status, 200)
      } finally {
        await target.clock(0)
        for (const table of ['recovery_codes', 'second_factors', 'sign_in_failures', 'wrong_codes', 'known_devices'])
          await target.sql(`delete from ${table}`)
      }
    },
  },
]

const wrongFor = (code: string): string => (code === '000000' ? '111111' : '000000')

/** Computes a code by RFC 6238, as an authenticator app does. */
function totp(secret: string, step: number): string {
  const bits = Array.from(secret, letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  const mac = createHmac('sha1', key).update(counter).digest()
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 0x0f) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
