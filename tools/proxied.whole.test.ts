import { join } from 'node:path'
import { createServer } from 'vite'
import { expect, test } from 'vitest'
import { freePort } from '#testing/postgres.ts'
import { testApp } from '#server/kit/testing.ts'
import { signIn } from '#server/session/testing.ts'
import { proxied } from './proxied.ts'
import { root } from './processes.ts'

const portalBefore = async (service: string) => {
  const portal = await createServer({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1', proxy: proxied(service), watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  await portal.listen()
  return { portal, origin: portal.resolvedUrls?.local[0] ?? '' }
}

test('a page’s first requests reach the service in development, too', async () => {
  const app = await testApp()
  await app.context.http.listen({ port: 0, host: '127.0.0.1' })
  const { portal, origin } = await portalBefore(app.context.http.listeningOrigin)
  const { cookie } = await signIn(app, 'agent@azahar.example')
  const ask = async (path: string) => (await fetch(new URL(path, origin), { headers: { cookie } })).json()
  expect(await ask('/products/_payload.json')).toMatchObject({ code: 200, data: { products: expect.any(Array) } })
  expect(await ask('/builds/latest.json')).toMatchObject({ id: expect.any(String) })
  expect(await ask('/api/users/me')).toMatchObject({ code: 200 })
  expect(await (await fetch(new URL('/products', origin))).text()).toContain('/main.tsx')
  await portal.close()
  await app.stop()
})

test('a request waits while the service restarts', async () => {
  const port = await freePort()
  const { portal, origin } = await portalBefore(`http://127.0.0.1:${port}`)
  const reply = fetch(new URL('/builds/latest.json', origin))
  const app = await testApp()
  await app.context.http.listen({ port, host: '127.0.0.1' })
  expect((await reply).status).toBe(200)
  await portal.close()
  await app.stop()
})
