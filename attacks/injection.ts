import assert from 'node:assert/strict'
import { ana, type Json, leo, purchase, register } from '#testing/agent.ts'
import type { Case, Scenario } from './scenario.ts'

const list = ({ a }: Scenario, changes: Record<string, unknown>) =>
  a.ask('/api/policy/list', { body: { page: 1, perPage: 10, export: false, searchData: '', sortCriteria: [], ...changes } })

const needsList = ['POST /api/policy/list']
const evil = '<script>alert(a)</script><iframe src=file:///etc/passwd><img src=x onerror=alert(a)>'

/** Group D of the attack cases: injection through text. */
export const injections: Case[] = [
  {
    id: 'D52',
    title: 'SQL, patterns and wrong types as a search',
    needs: needsList,
    quick: true,
    async run(scenario) {
      const all = (await list(scenario, {})).body.data.total
      assert.ok(all > 0)
      for (const searchData of [`' or 1=1--`, '%', '_', '\\', '%%%', `'; drop table policies; --`, '\u202e', '💥'.repeat(30)])
        assert.equal((await list(scenario, { searchData })).body.data.total, 0, searchData.slice(0, 20))
      for (const searchData of ['\u0000', 'x'.repeat(10_000), '\ud800', ['a'], { a: 1 }, 7])
        assert.ok((await list(scenario, { searchData })).status < 500, JSON.stringify(searchData).slice(0, 20))
    },
  },
  {
    id: 'D53',
    title: 'invalid pages and sort orders',
    needs: needsList,
    quick: true,
    async run(scenario) {
      for (const changes of [
        { page: -1 },
        { page: 0 },
        { page: 1e12 },
        { page: 1.5 },
        { perPage: 1e6 },
        { perPage: 0 },
        { page: '1;select' },
        { sortCriteria: [{ key: 'id; drop', order: 'asc' }] },
      ]) {
        const reply = await list(scenario, changes)
        assert.equal(reply.status, 422, JSON.stringify(changes))
        assert.ok(!scenario.timed || reply.ms < 2000)
      }
    },
  },
  {
    id: 'D56',
    title: 'markup in names, shown in emails',
    quick: true,
    async run(scenario) {
      const { a, ask, target } = scenario
      const users = [{ ...ana, name: evil.slice(0, 90), middleName: '<b>x</b>' }, leo]
      const registered = await register(a, { users })
      if (registered.status === 422) return
      await purchase(a, { purchaseUUID: registered.body.data.purchaseUUID })
      await target.drain()
      const mails: Json[] = (await ask('/dev/mail.json')).body
      assert.ok(mails.every(({ html }) => !/<script|<iframe|onerror=alert\(a\)>|<b>x<\/b>/.test(html ?? '')))
    },
  },
  {
    id: 'D58',
    title: 'email addresses with a second recipient or a header line',
    quick: true,
    async run({ a }) {
      const wrong = [
        'a@x.test\r\nBcc: e@e.test',
        'a@x.test, e@e.test',
        'g:e1@e.test,e2@e.test;',
        '"a@x.test" <e@e.test>',
        'a@x.test\u0000',
        'a@x',
        '@x.test',
        'a b@x.test',
      ]
      for (const email of wrong) assert.equal((await register(a, { users: [{ ...ana, email }, leo] })).status, 422, JSON.stringify(email))
    },
  },
  {
    id: 'D58b',
    title: 'the same as recipients of certificates',
    needs: ['POST /api/policy/sendCertificates'],
    quick: true,
    async run({ a, sold }) {
      for (const emails of [
        ['a@x.test\r\nBcc: e@e.test'],
        ['a@x.test, e@e.test'],
        ['g:e1@e.test;'],
        [],
        Array.from({ length: 11 }, () => 'a@x.test'),
        'a@x.test',
      ])
        assert.equal(
          (await a.ask('/api/policy/sendCertificates', { body: { policyUuid: sold.a.policyUuid, emails, files: [] } })).status,
          422,
          JSON.stringify(emails),
        )
    },
  },
  {
    id: 'D59',
    title: 'line breaks in email subjects and file names',
    quick: true,
    async run({ a }) {
      for (const text of ['x\r\nBcc: e@e.test', 'x\ny', 'x\u0000', '\u001b[31mred'])
        for (const changes of [{ buReference: text }, { users: [{ ...ana, name: text }, leo] }])
          assert.equal((await register(a, changes)).status, 422, JSON.stringify(text))
    },
  },
  {
    id: 'D61',
    title: 'forged log lines',
    quick: true,
    async run({ ask, a, target }) {
      const fake = '\n{"level":"info","msg":"fake-entry"}\u001b[31m'
      await ask(`/api/quotes/${encodeURIComponent(fake)}`, { headers: a.headers })
      await ask('/api/auth/login', { body: { email: `x${fake}`, password: fake } })
      await register(a, { buReference: fake })
      await ask(`/nowhere${encodeURIComponent(fake)}`, { headers: { 'user-agent': 'x fake-entry' } })
      const lines = target.log().split('\n')
      assert.ok(lines.every(line => !line.startsWith('{"level":"info","msg":"fake-entry"')))
      assert.ok(!target.log().includes('\u001b'))
    },
  },
  {
    id: 'D64',
    title: 'look-alike characters and characters that change in upper case',
    quick: true,
    async run({ a, target }) {
      const person = (docNumber: string) => [{ ...ana, docNumber }, leo]
      for (const docNumber of ['１２３４５６７８Z', '12345678ı', 'x1234567ſ', '12345678Ζ', '12345678Z\u200b', '💥'])
        assert.equal((await register(a, { users: person(docNumber) })).status, 422, docNumber)
      assert.equal((await register(a, { insuranceType: '\ud800' })).status, 422)
      const small = await register(a, { users: person('12345678z') })
      assert.equal(small.status, 200)
      const decomposed = 'Garci\u0301a'
      const { data } = (await register(a, { users: [{ ...ana, middleName: decomposed }, leo] })).body
      const [row] = await target.sql('select taker from policies where id = $1', [data.policyUuid])
      assert.ok(String(row?.['taker']).includes('García'))
    },
  },
]
