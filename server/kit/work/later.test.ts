import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { later, loadSoon, wantSoon } from './later.ts'

const root = join(import.meta.dirname, '../../..')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a module is loaded when it is first used, and only once', async () => {
  const load = vi.fn(() => Promise.resolve('loaded'))
  const library = later(load)
  expect(load).not.toHaveBeenCalled()
  expect(await Promise.all([library(), library()])).toEqual(['loaded', 'loaded'])
  expect(load).toHaveBeenCalledTimes(1)
})

test('a load that failed is tried again by the next call', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('no file handle is free')).mockResolvedValue('loaded')
  const library = later(load)
  await expect(library()).rejects.toThrow('no file handle')
  expect(await library()).toBe('loaded')
})

test('marked modules are loaded one by one after the start, even if one of them fails', async () => {
  const steps: string[] = []
  const first = Promise.withResolvers<undefined>()
  wantSoon(() => (steps.push('first'), first.promise))
  wantSoon(() => void steps.push('second'))
  loadSoon({ error: ({ err }: { err: unknown }) => void steps.push(String(err)) })
  await vi.advanceTimersByTimeAsync(10)
  expect(steps).toEqual([])
  await vi.advanceTimersByTimeAsync(2000)
  expect(steps).toEqual(['first'])
  first.reject(new Error('gone'))
  await vi.advanceTimersByTimeAsync(10)
  expect(steps).toEqual(['first', 'Error: gone', 'second'])
})

test('a start loads no library that the first page does not need', async () => {
  const program = `
    import { registerHooks } from 'node:module'
    const packages = new Set()
    registerHooks({ resolve(specifier, context, next) {
      const found = next(specifier, context)
      const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(found.url) ?? []
      if (name) packages.add(name)
      return found
    } })
    await import('#server/app.ts')
    console.log(JSON.stringify([...packages]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: root })
  // Safe: the program writes the names of packages.
  const packages = JSON.parse(stdout) as string[]
  expect(packages).toContain('fastify')
  const late = new Set(['stripe', 'nodemailer', 'jose', 'openid-client', '@myriaddreamin/typst-ts-node-compiler'])
  expect(packages.filter(name => late.has(name))).toEqual([])
})
