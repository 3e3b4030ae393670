import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Agent, quoteBody, register, type Reply } from '#testing/agent.ts'
import type { Case, Scenario } from './scenario.ts'
import { until } from '#tools/until.ts'

/** Sends raw bytes and returns the response, or '' if the connection closes. */
function raw({ target }: Scenario, text: string, waitMs = 3000): Promise<string> {
  const { hostname, port } = new URL(target.origin)
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let response = ''
    const done = () => {
      socket.destroy()
      resolve(response)
    }
    socket.setTimeout(waitMs, done)
    socket.on('data', data => {
      response += String(data)
      if (response.includes('\r\n\r\n')) done()
    })
    socket.on('error', done)
    socket.on('close', done)
  })
}

const statusIn = (response: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1] ?? 0)

/** Group G of the attack cases: methods, bodies, sockets and floods. */
export const https: Case[] = [
  {
    id: 'G88',
    title: 'undocumented methods',
    quick: true,
    async run(scenario) {
      const { a, budget } = scenario
      const policyUuid = budget.a.policyUuid
      const body = { policyUuid }
      const tries = [
        a.ask('/api/policy', { method: 'POST', body, headers: { 'x-http-method-override': 'DELETE' } }),
        a.ask('/api/policy', { method: 'POST', body: { ...body, _method: 'DELETE' } }),
        a.ask('/api/policy?_method=DELETE', { method: 'POST', body }),
        a.ask(`/api/policy?policyUuid=${policyUuid}`, { method: 'DELETE' }),
        a.ask('/api/policy', { method: 'DELETE', payload: JSON.stringify(body), headers: { 'content-type': 'text/plain' } }),
        a.ask('/api/policy', { method: 'DELETE', payload: '' }),
        a.ask('/api/policy', { method: 'GET' }),
        a.ask('/api/policy/register', { method: 'PUT', body: {} }),
        a.ask('/api/policy/register', { method: 'OPTIONS' }),
      ]
      for (const reply of await Promise.all(tries)) assert.ok([400, 404, 405, 415, 422].includes(reply.status), String(reply.status))
      const head = 'Host: 127.0.0.1\r\nConnection: close\r\n\r\n'
      assert.ok([0, 400, 404, 405].includes(statusIn(await raw(scenario, `TRACE / HTTP/1.1\r\n${head}`))))
      const [row] = await scenario.target.sql('select status from policies where id = $1', [policyUuid])
      assert.equal(row?.['status'], 'budgeted')
    },
  },
  {
    id: 'G89',
    title: 'requests that another site makes a signed-in browser send',
    quick: true,
    denied: 4,
    async run({ ask, a, budget, target }) {
      const payload = JSON.stringify({ policyUuid: budget.a.policyUuid })
      const cookie = { cookie: a.cookie, 'x-bunit-token': a.unitToken }
      const port = new URL(target.origin).port
      for (const origin of ['null', 'https://evil.example', `http://sub.127.0.0.1:${port}`, `http://127.0.0.1:1`])
        assert.equal((await ask('/api/policy', { method: 'DELETE', payload, headers: { ...cookie, origin } })).status, 403, origin)
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
        assert.ok(
          [403, 415].includes(
            (await ask('/api/policy', { method: 'DELETE', payload, headers: { ...cookie, 'content-type': type } })).status,
          ),
          type,
        )
      assert.equal((await ask('/api/auth/session', { headers: cookie })).status, 405)
      assert.equal((await a.ask('/api/users/me')).status, 200)
    },
  },
  {
    id: 'G91',
    title: 'deep, wide, invalid and compressed JSON',
    quick: true,
    async run({ a, timed }) {
      const deep = '['.repeat(100_000) + ']'.repeat(100_000)
      const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1])))
      const bodies: [string, string][] = [
        ['deep', `{"a":${deep}}`],
        ['deep at the top', deep],
        ['wide', wide],
        ['no JSON', '{"a":'],
        ['prototype', '{"__proto__":{"admin":true}}'],
        ['constructor', '{"constructor":{"prototype":{"admin":true}}}'],
      ]
      for (const [name, payload] of bodies) {
        const reply = await a.ask('/api/quotes', { payload })
        assert.ok([400, 413, 422].includes(reply.status), `${name}: ${reply.status}`)
        assert.ok(!timed || reply.ms < 1000, `${name}: ${reply.ms} ms`)
      }
      const marked = await a.ask('/api/quotes', { payload: `\ufeff${JSON.stringify(quoteBody(a))}` })
      assert.equal(marked.status, 400, 'byte order mark')
      const large = await a.ask('/api/quotes', { payload: `"${'x'.repeat(20_000_000)}"` }).catch(() => undefined)
      assert.ok(large === undefined || large.status === 413)
      const packed = await a.ask('/api/quotes', {
        payload: new Uint8Array(gzipSync(Buffer.alloc(30_000_000, 32))),
        headers: { 'content-encoding': 'gzip' },
      })
      assert.equal(packed.status, 415)
    },
  },
  {
    id: 'G92',
    title: '2 000 slow sockets',
    async run(scenario) {
      const { hostname, port } = new URL(scenario.target.origin)
      const sockets: Socket[] = []
      for (let index = 0; index < 2000; index++) {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {})
        socket.resume()
        socket.write(
          index % 2
            ? 'POST /api/quotes HTTP/1.1\r\nHost: x\r\nContent-Le'
            : 'POST /api/quotes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
        )
        sockets.push(socket)
        // The queue of connections is short.
        if (index % 200 === 199) await Promise.race(['connect', 'close'].map(event => once(socket, event).catch(() => {})))
      }
      try {
        const times: number[] = []
        for (let index = 0; index < 200; index++) {
          const reply = await scenario.a.ask('/api/quotes', { body: quoteBody(scenario.a) })
          assert.equal(reply.status, 200)
          times.push(reply.ms)
        }
        const p99 = times.sort((x, y) => x - y)[197] ?? 0
        assert.ok(p99 < 1000, `p99 ${p99} ms`)
        // headersTimeout is 15 s and requestTimeout 30 s, both checked every 30 s.
        await until('the end of all slow sockets', () => sockets.every(socket => socket.destroyed))
      } finally {
        for (const socket of sockets) socket.destroy()
      }
    },
  },
  {
    id: 'G94',
    title: 'floods of quotes, exports and emails while other users work',
    bothAct: true,
    async run({ a, b, manager, sold }) {
      const addresses = (round: number) => Array.from({ length: 10 }, (_, index) => `flood-${round}-${index}@e.example`)
      const mail = (agent: Agent, policyUuid: string, round: number) =>
        agent.ask('/api/policy/sendCertificates', { body: { policyUuid, emails: addresses(round) } })
      const workbook = (agent: Agent) => agent.ask('/api/policy/list', { body: { export: true } })
      const quote = (agent: Agent) => agent.ask('/api/quotes', { body: quoteBody(agent) })
      await flood(10_000, 40, ofUser.quotes, () => quote(a))
      await flood(150, 4, ofUser.exports, () => workbook(a))
      // Four thousand addresses, ten per call.
      await flood(400, 4, ofUser.mails / 10, round => mail(a, sold.a.policyUuid, round))
      for (const agent of [manager, b]) {
        assert.equal((await quote(agent)).status, 200)
        assert.equal((await workbook(agent)).status, 200)
      }
      assert.equal((await mail(manager, sold.a.policyUuid, 1000)).status, 200)
      assert.equal((await mail(b, sold.b.policyUuid, 1001)).status, 200)
    },
  },
  {
    id: 'G95',
    title: 'expensive lists and exports during sales',
    needs: ['POST /api/policy/list'],
    async run({ a, manager, timed }) {
      const body = { page: 1, perPage: 100, searchData: 'a', sortCriteria: [{ key: 'policyTaker', order: 'desc' }] }
      let busy = true
      const served = { workbooks: 0, lists: 0 }
      const heavy = Array.from({ length: 20 }, async (_, index) => {
        const isExport = index % 2 === 0
        while (busy) {
          const reply = await manager.ask('/api/policy/list', { body: { ...body, export: isExport } })
          if (isExport && reply.status === 429) {
            assert.ok(Number(reply.headers.get('retry-after')) > 0)
            await delay(50)
            continue
          }
          assert.equal(reply.status, 200, reply.text.slice(0, 200))
          if (isExport) assert.ok(reply.text.startsWith('PK'), 'not a workbook')
          else assert.ok(reply.body.data.policies.length > 0)
          served[isExport ? 'workbooks' : 'lists'] += 1
        }
      })
      // Errors are reported when all have ended. An earlier rejection must not end the process.
      for (const each of heavy) each.catch(() => {})
      const times: number[] = []
      try {
        for (let round = 0; round < 30; round++) {
          const { status, ms } = await register(a)
          assert.equal(status, 200)
          times.push(ms)
        }
      } finally {
        busy = false
        await Promise.all(heavy)
      }
      assert.ok(served.workbooks > 0 && served.lists > 0, JSON.stringify(served))
      const p95 = times.sort((x, y) => x - y)[28] ?? 0
      assert.ok(!timed || p95 < 2000, `registering took ${Math.round(p95)} ms`)
    },
  },
]

/** A user's quotas per minute: the defaults of config.ts, and target.ts for emails. */
const ofUser = { quotes: 3000, exports: 60, mails: 3000 }

/** Checks that the quota limits the served requests, and that all others get a 429 with Retry-After. */
async function flood(times: number, atOnce: number, aMinute: number, ask: (round: number) => Promise<Reply>): Promise<void> {
  const began = performance.now()
  let [round, served, refused] = [0, 0, 0]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (round < times) {
        const { status, headers, text } = await ask(round++)
        assert.ok(status === 200 || status === 429, `${status} ${text.slice(0, 100)}`)
        if (status === 200) served += 1
        else refused += Number(headers.get('retry-after')) > 0 ? 1 : 0
      }
    }),
  )
  // The quota that returns during the flood, plus the share that a node may have had left.
  const max = aMinute * (1.02 + (performance.now() - began) / 60_000)
  assert.equal(served + refused, times, 'a refusal without Retry-After')
  assert.ok(served > 0, 'no request was served')
  assert.ok(served <= Math.ceil(max), `${served} served of ${aMinute} a minute`)
  assert.ok(refused > 0, 'no request was refused')
}
