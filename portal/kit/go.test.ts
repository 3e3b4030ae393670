import { afterEach, beforeEach, expect, test } from 'vitest'
import { go } from './go.ts'
import { type Browser, openBrowser, origin } from './testing.ts'

let browser: Browser
beforeEach(() => {
  browser = openBrowser()
})
afterEach(() => browser.close())

const left = () => browser.tab.window.left

test('an external URL needs the external flag, and reloads the page', { tags: ['S2.15', 'S2.16'] }, async () => {
  await expect(go('https://help.example/start')).rejects.toThrow('external flag')
  await expect(go('//help.example')).rejects.toThrow('external flag')
  expect(left()).toEqual([])
  await go('https://help.example/start', { external: true })
  await go('mailto:help@portolan.example', { external: true, replace: true })
  expect(left()).toEqual(['https://help.example/start', 'mailto:help@portolan.example'])
})

test('a blocked protocol is refused, even with the external flag', { tags: 'S2.16' }, async () => {
  for (const target of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', `blob:${origin}/1`])
    await expect(go(target, { external: true }), target).rejects.toThrow('blocked protocol')
  expect(left()).toEqual([])
})
