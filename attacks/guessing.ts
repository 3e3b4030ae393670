import assert from 'node:assert/strict'
import { begin } from '#drills/rig/agent.ts'
import type { Case, Field } from './field.ts'

const countOf = async ({ target }: Field, from: string): Promise<number> =>
  Number((await target.sql(`select count(*)::int as count from ${from}`))[0]?.['count'])

/** B. Asking and guessing without end. */
export const guessing: Case[] = [
  {
    id: 'B111',
    title: 'three hundred mails of forgotten passwords asked for, to known and unknown addresses',
    quick: true,
    async run(field) {
      const before = await countOf(field, 'audit')
      const statuses: number[] = []
      try {
        for (let round = 0; round < 15; round++) {
          const emails = Array.from({ length: 20 }, (_, place) => (place < 2 ? 'agent@azahar.example' : `nobody-${place}@e.example`))
          const replies = await Promise.all(emails.map(email => field.ask('/api/auth/password/forgot', { body: { email } })))
          statuses.push(...replies.map(({ status }) => status))
        }
        await field.target.drain()
        assert.equal(statuses.filter(status => status === 200).length, 100)
        assert.equal(statuses.filter(status => status === 429).length, 200)
        // A mail that was sent has its row; all that was refused has three.
        const rows = (await countOf(field, 'audit')) - before
        assert.ok(rows <= 8, `${rows} rows in the audit`)
      } finally {
        await field.target.sql('delete from sign_in_failures')
      }
    },
  },
  {
    id: 'B112',
    title: 'a second cookie of the flow, set beside the first by a sibling of this host',
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
]
