import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { AnyCall } from '#common/kit/call.ts'
import { callsOf } from '#common/kit/calls-of.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { type Handler, serveAll } from '#server/kit/serve.ts'
import { testApp } from '#server/kit/testing.ts'

const root = join(import.meta.dirname, '../..')
const keyOf = ({ method, path }: AnyCall): string => `${method} ${path}`

const equal = { summary: '', request: z.object({}), response: z.string() }
const schemas = { open: equal, shut: equal }
const anyone = callsOf<typeof schemas>()('nothing')
const calls = { open: anyone<'open'>('POST', '/api/test/open'), shut: anyone<'shut'>('POST', '/api/test/shut') }
const open: Handler<typeof calls.open> = () => Promise.resolve('open')
const shut: Handler<typeof calls.shut> = () => Promise.resolve('shut')

test('every call is served, and each of a table by the handler of its name', async () => {
  const app = await testApp({}, { alsoServe: context => serveAll(context, calls, schemas, { shut, open }) })
  const replies = await Promise.all(Object.values(calls).map(({ method, path }) => app.ask(path, { method, body: {} })))
  expect(replies.map(({ body }) => body.data)).toEqual(['open', 'shut'])
  const served = new Set(app.context.served.map(keyOf))
  await app.stop()
  const tables: object[] = await Promise.all(globSync('common/**/*calls.ts', { cwd: root }).map(file => import(join(root, file))))
  const all = tables.flatMap((table): (AnyCall | (() => unknown))[] => Object.values(table)).filter(each => typeof each !== 'function')
  expect(all.length).toBeGreaterThan(150)
  expect(all.map(keyOf).filter(each => !served.has(each))).toEqual([])
})

test('a handler that is missing, or under another call’s name, does not compile', () => {
  const refused = (context: AppContext) => {
    // @ts-expect-error `shut` is missing
    serveAll(context, calls, schemas, { open })
    // @ts-expect-error both have equal schemas, but not their own names
    serveAll(context, calls, schemas, { open: shut, shut: open })
    // @ts-expect-error no schemas have the name of this call
    serveAll(context, { ...calls, ajar: anyone<'open'>('POST', '/api/test/ajar') }, schemas, { open, shut, ajar: open })
  }
  expect(refused).toBeTypeOf('function')
})
