import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { signInTo } from '#portal/session/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(() => {
  browser = openBrowser(app)
})
afterEach(() => browser.close())

const command = (value: string) => ({ value, label: value, icon: 'file' as const, to: '/policies' })
const recent = async () => {
  const [{ useRecents }, { useSession }] = await Promise.all([import('./commands.ts'), import('#portal/session/session.ts')])
  const unit = useSession.getState().unitUuid ?? ''
  return (useRecents.getState().byUnit[unit] ?? []).map(({ value }) => value)
}

test('the last five commands are kept, newest first, each once', async () => {
  await signInTo('agent@azahar.example')
  const { keepRecent } = await import('./commands.ts')
  for (const value of ['a', 'b', 'c', 'a', 'd', 'e', 'f']) keepRecent(command(value))
  expect(await recent()).toEqual(['f', 'e', 'd', 'a', 'c'])
})

test('another unit has recent commands of its own', async () => {
  await signInTo('multi@portolan.example')
  const { keepRecent } = await import('./commands.ts')
  const { useSession } = await import('#portal/session/session.ts')
  const [first, second] = useSession.getState().user?.businessUnits ?? []
  keepRecent(command('of the first'))
  useSession.setState({ unitUuid: second?.uuid })
  expect(await recent()).toEqual([])
  useSession.setState({ unitUuid: first?.uuid })
  expect(await recent()).toEqual(['of the first'])
})
