import assert from 'node:assert/strict'
import { cookiesOf } from '#testing/agent.ts'
import type { Case } from './scenario.ts'

/** Groups E and H of the attack cases: files, and responses to the browser. */
export const browsers: Case[] = [
  {
    id: 'E71',
    title: 'private data for another user, without a session, and from a cache',
    quick: true,
    async run({ a, b, ask, sold }) {
      const own = await a.ask('/products/_payload.json')
      assert.match(own.headers.get('cache-control') ?? '', /no-store/)
      assert.equal((await ask('/products/_payload.json')).status, 401)
      for (const file of sold.a.files ?? []) {
        const path = new URL(file.file, 'http://x').pathname
        const mine = await a.ask(path)
        assert.equal(mine.status, 200)
        assert.match(mine.headers.get('cache-control') ?? '', /no-store/)
        assert.match(mine.headers.get('cache-control') ?? '', /private/)
        assert.equal((await b.ask(path)).status, 404)
        assert.equal((await ask(path)).status, 401)
      }
    },
  },
  {
    id: 'H97',
    title: 'missing security headers of pages, files and errors',
    quick: true,
    async run({ ask, a }) {
      const replies = [
        await ask('/products'),
        await ask('/nowhere'),
        await ask('/api/nowhere'),
        await ask('/api/users/me'),
        await a.ask('/api/users/me'),
        await ask('/geo/countries'),
        await ask('/auth/callback?token=x'),
        await ask('/builds/latest.json'),
        await ask('/api/docs'),
        await ask('/health/live'),
      ]
      for (const { headers, status } of replies) {
        const policy = headers.get('content-security-policy') ?? ''
        const rules = [
          "object-src 'none'",
          "base-uri 'none'",
          "form-action 'self'",
          "frame-ancestors 'none'",
          "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
        ]
        for (const rule of rules) assert.ok(policy.includes(rule), `${status}: ${rule}`)
        assert.ok(!policy.includes('unsafe-inline') && !policy.includes('unsafe-eval'))
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
        assert.equal(headers.get('referrer-policy'), 'no-referrer')
        assert.ok(headers.get('cross-origin-opener-policy') && headers.get('permissions-policy'))
        assert.ok(!headers.get('server') && !headers.get('x-powered-by'))
      }
    },
  },
  {
    id: 'H98',
    title: 'the portal in a frame of another site',
    quick: true,
    async run({ ask }) {
      const { headers } = await ask('/products')
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
      assert.match(headers.get('x-frame-options') ?? '', /deny/i)
    },
  },
  {
    id: 'H100',
    title: 'a path as the language, and user data in public files',
    quick: true,
    async run({ ask, a }) {
      for (const language of ['../../x', '<script>', 'xx-XX', '%00', 'es-ES%0d%0aset-cookie:x=1']) {
        const page = await ask('/products', { headers: { cookie: `i18n_redirected=${language}` } })
        assert.equal(page.status, 200, language)
        assert.ok(!page.text.includes(language) && cookiesOf(page)['x'] === undefined, language)
      }
      const latest = await ask('/builds/latest.json')
      for (const path of ['/builds/latest.json', `/builds/meta/${latest.body?.id}.json`]) {
        const { text } = await ask(path, { headers: { cookie: a.cookie } })
        assert.ok(!text.includes(a.user.email) && !text.includes(a.unitToken))
      }
    },
  },
]
