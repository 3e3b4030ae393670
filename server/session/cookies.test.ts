import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { deviceCookie } from './cookies.ts'
import { cookiesOf, demoPassword } from './testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: 'https://portal.example' })
})
afterAll(() => app.stop())

async function begin(email: string) {
  const reply = await app.ask('/api/auth/login', { body: { email, password: demoPassword } })
  const token = new URLSearchParams(String(reply.body.data.callback).split('?')[1]).get('token')
  return { token, flow: cookiesOf(reply)['__Host-flow'], setCookie: String(reply.headers['set-cookie']) }
}
const open = async (token: string | null, cookie: string) =>
  (await app.ask('/api/auth/session', { body: { token }, headers: { cookie } })).status

test('over https only a flow cookie with the __Host- prefix counts (attack B112)', async () => {
  const { token, flow, setCookie } = await begin('agent@azahar.example')
  expect(setCookie).toMatch(/^__Host-flow=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  expect(deviceCookie(app.world.config)).toBe('__Host-device')
  expect(await open(token, `flow=${flow}`)).toBe(401)
  expect(await open(token, `flow=planted; __Host-flow=${flow}`)).toBe(200)
})

test('two flow cookies of the same name are refused, in either order (attack B112)', async () => {
  const [mine, theirs] = [await begin('agent@azahar.example'), await begin('viewer@azahar.example')]
  const pairs = [`__Host-flow=${mine.flow}; __Host-flow=${theirs.flow}`, `__Host-flow=${theirs.flow};__Host-flow=${mine.flow}`]
  for (const cookie of pairs) expect([await open(mine.token, cookie), await open(theirs.token, cookie)]).toEqual([401, 401])
  expect(await open(mine.token, `__Host-flow=${mine.flow}`)).toBe(200)
})
