import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { begin, cookiesOf, demoPassword, signIn } from '#testing/agent.ts'
import type { Case, Scenario } from './scenario.ts'

const openSession = ({ ask }: Scenario, token: string, flow?: string) =>
  ask('/api/auth/session', { body: { token }, headers: flow ? { cookie: `flow=${flow}` } : {} })

/** Returns the redirect of a sign-in that requests `redirect`. */
async function redirectOf({ ask }: Scenario, redirect: unknown): Promise<string> {
  const { body } = await ask('/api/auth/login', { body: { email: 'viewer@azahar.example', password: demoPassword, redirect } })
  return new URLSearchParams(String(body.data.callback).split('?')[1]).get('redirect') ?? '/products'
}

const foreign = [
  '//e.example',
  '/\\e.example',
  '\\\\e.example',
  'https:e.example',
  'https:/e.example',
  'https://e.example',
  'http://e.example',
]
const tricks = [
  'https://azahar@e.example',
  '/\t/e.example',
  '/\n/e.example',
  '\t//e.example',
  '/..//e.example',
  '/.//e.example',
  '/%2f/../..//e.example',
]
const schemes = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:x',
  'file:///etc/passwd',
]
const oddities = [
  ['//e.example'],
  { href: '//e.example' },
  7,
  true,
  '',
  ' ',
  '\u0000//e.example',
  '/\u2028/e.example',
  '////e.example',
  'http:///e.example',
]
const encoded = ['https://e.example%2f@127.0.0.1', 'https://127.0.0.1@e.example/', 'ftp://e.example/']

/** Group B of the attack cases: sign-in, sessions and the callback. */
export const signIns: Case[] = [
  {
    id: 'B17',
    title: 'a callback token used twice and concurrently',
    quick: true,
    async run(scenario) {
      const { token, flow } = await begin(scenario.ask, 'viewer@azahar.example')
      const replies = await Promise.all(Array.from({ length: 5 }, () => openSession(scenario, token, flow)))
      assert.deepEqual(
        replies.map(({ status }) => status).sort((x, y) => x - y),
        [200, 401, 401, 401, 401],
      )
      assert.equal((await openSession(scenario, token, flow)).status, 401)
    },
  },
  {
    id: 'B19',
    title: 'the attacker’s callback in a victim’s browser',
    quick: true,
    async run(scenario) {
      const { token } = await begin(scenario.ask, 'viewer@azahar.example')
      const other = await begin(scenario.ask, 'viewer@azahar.example')
      assert.equal((await openSession(scenario, token)).status, 401)
      assert.equal((await openSession(scenario, token, other.flow)).status, 401)
    },
  },
  {
    id: 'B20',
    title: 'another user’s email in the callback URL',
    quick: true,
    async run({ ask }) {
      const { token, flow } = await begin(ask, 'viewer@azahar.example')
      const query = '?email=admin@portolan.example&loggedIn=true'
      const reply = await ask(`/api/auth/session${query}`, { body: { token }, headers: { cookie: `flow=${flow}` } })
      assert.equal(reply.body.data.user.email, 'viewer@azahar.example')
      const more = await ask('/api/auth/session', { body: { token, email: 'admin@portolan.example' }, headers: { cookie: `flow=${flow}` } })
      assert.equal(more.status, 422)
    },
  },
  {
    id: 'B22',
    title: 'the token in the log or in response headers',
    quick: true,
    async run(scenario) {
      const { token, flow } = await begin(scenario.ask, 'viewer@azahar.example')
      const page = await scenario.ask(`/auth/callback?token=${token}&email=viewer@azahar.example&loggedIn=true`)
      assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
      assert.ok(!(page.headers.get('location') ?? '').includes(token))
      await openSession(scenario, token, flow)
      assert.ok(!scenario.target.log().includes(token))
    },
  },
  {
    id: 'B23',
    title: `${[...foreign, ...tricks, ...schemes, ...oddities, ...encoded].length} redirects to other sites after sign-in`,
    async run(scenario) {
      const origin = new URL(scenario.target.origin).origin
      for (const redirect of [...foreign, ...tricks, ...schemes, ...oddities, ...encoded]) {
        const target = URL.parse(await redirectOf(scenario, redirect), origin)
        assert.equal(target?.origin, origin, JSON.stringify(redirect))
      }
    },
  },
  {
    id: 'B25',
    title: 'session fixation',
    quick: true,
    async run({ ask }) {
      const [first, second] = [await signIn(ask, 'viewer@azahar.example'), await signIn(ask, 'viewer@azahar.example')]
      assert.notEqual(first.accessToken, second.accessToken)
      const { token, flow } = await begin(ask, 'viewer@azahar.example')
      const fixed = await ask('/api/auth/session', { body: { token }, headers: { cookie: `flow=${flow}; ${first.cookie}` } })
      assert.notEqual(fixed.body.data.accessToken, first.accessToken)
    },
  },
  {
    id: 'B26',
    title: 'cookies readable by scripts or other hosts',
    quick: true,
    async run({ ask }) {
      const { token, flow, reply } = await begin(ask, 'viewer@azahar.example')
      const session = await ask('/api/auth/session', { body: { token }, headers: { cookie: `flow=${flow}` } })
      for (const cookie of [...reply.headers.getSetCookie(), ...session.headers.getSetCookie()]) {
        assert.match(cookie, /; Path=\//)
        assert.match(cookie, /; HttpOnly/)
        assert.match(cookie, /; SameSite=Lax/)
        assert.doesNotMatch(cookie, /; Domain=/i)
      }
      assert.ok(cookiesOf(session)['session'])
    },
  },
  {
    id: 'B28',
    title: 'an idle session and one of thirty days',
    quick: true,
    async run({ ask, target }) {
      const mine = await signIn(ask, 'viewer@azahar.example')
      const at = async (hours: number) => {
        await target.clock(hours * 3_600_000)
        return (await mine.ask('/api/users/me')).status
      }
      try {
        assert.equal(await at(11.9), 200)
        assert.equal(await at(23.7), 200)
        assert.equal(await at(35.8), 401)
        const busy = await signIn(ask, 'viewer@azahar.example')
        for (let hours = 36; hours < 35.8 + 30 * 24; hours += 11.5) {
          await target.clock(hours * 3_600_000)
          assert.equal((await busy.ask('/api/users/me')).status, 200, `${hours} h`)
        }
        await target.clock((36 + 30 * 24 + 1) * 3_600_000)
        assert.equal((await busy.ask('/api/users/me', { headers: { cookie: busy.cookie } })).status, 401)
      } finally {
        await target.clock(0)
      }
    },
  },
  {
    id: 'B29',
    title: 'a thousand wrong passwords, while the user still gets in',
    async run({ target }) {
      // Forged X-Forwarded-For headers do not count. Each 127.0.0.x counts as its own network.
      const attempt = (from: string, email: string, round: number, password = 'wrong-password') =>
        loginFrom(target.origin, from, { email, password }, `10.0.${round % 4}.${round % 250}`)
      try {
        const one = []
        for (let round = 0; round < 40; round++) one.push(await attempt('127.0.0.2', 'multi@portolan.example', round))
        assert.deepEqual(
          one.map(({ status }) => status),
          [...Array<number>(10).fill(401), ...Array<number>(30).fill(429)],
        )
        assert.ok(one.slice(10).every(({ retryAfter }) => retryAfter > 0))
        assert.equal((await attempt('127.0.0.2', 'multi@portolan.example', 0, demoPassword)).status, 429)
        assert.equal((await attempt('127.0.0.3', 'multi@portolan.example', 0, demoPassword)).status, 200)
        const many: number[] = []
        while (many.length < 1000) {
          const some = Array.from({ length: 20 }, (_, index) => many.length + index)
          const replies = await Promise.all(some.map(round => attempt('127.0.0.4', `unknown-${round}@e.example`, round)))
          many.push(...replies.map(({ status }) => status))
        }
        assert.equal(many.filter(status => status === 401).length, 100)
        assert.equal(many.filter(status => status === 429).length, 900)
      } finally {
        await target.sql('delete from sign_in_failures')
      }
    },
  },
  {
    id: 'B34',
    title: 'wrong forms of the bearer token',
    quick: true,
    async run({ ask, a, target }) {
      const token = a.accessToken
      const forms = [
        `Bearer  ${token}`,
        `bearer ${token}`,
        `BEARER ${token}`,
        `Bearer ${token} `.trim().concat(','),
        token,
        `Basic ${token}`,
        `Bearer ${token} x`,
      ]
      for (const authorization of forms)
        assert.equal((await ask('/api/users/me', { headers: { authorization } })).status, 401, authorization.slice(0, 9))
      assert.equal((await ask(`/api/users/me?access_token=${token}`)).status, 401)
      assert.equal((await ask('/api/products', { body: { access_token: token } })).status, 401)
      assert.equal(await statusOfTwo(target.origin, token), 401)
    },
  },
]

/** Sends two Authorization headers, which fetch would not. */
const statusOfTwo = (origin: string, token: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const both = request(
      new URL('/api/users/me', origin),
      {
        headers: [
          ['authorization', `Bearer ${token}`],
          ['authorization', `Bearer ${randomUUID()}`],
          ['host', new URL(origin).host],
        ].flat(),
      },
      reply => {
        reply.resume()
        resolve(reply.statusCode ?? 0)
      },
    )
    both.once('error', reject)
    both.end()
  })

/** Signs in from a local address, which fetch cannot choose. The cookie may be that of a known device. */
export const loginFrom = (
  origin: string,
  localAddress: string,
  body: object,
  forwarded = '',
  cookie = '',
): Promise<{ status: number; retryAfter: number; device: string }> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': forwarded, cookie }
    const sending = request(new URL('/api/auth/login', origin), { method: 'POST', localAddress, headers, agent: false }, reply => {
      const device = reply.headers['set-cookie']?.find(cookie => cookie.startsWith('device='))?.split(';')[0] ?? ''
      reply.resume()
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, retryAfter: Number(reply.headers['retry-after'] ?? 0), device }))
    })
    sending.once('error', reject)
    sending.end(JSON.stringify(body))
  })
