import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')
const last = (path = ''): string => path.split('.').at(-1) ?? ''

/** Every `serve(app, calls.x, schemas.x, …)` of the server, by the names of the call and its schemas. */
const served = globSync('server/**/*.ts', { cwd: root })
  .filter(file => !file.endsWith('.test.ts'))
  .flatMap(file =>
    [...textOf(file).matchAll(/\bserve(?:Files)?\(\s*\w+,\s*([\w.]+)(?:\(\w+\))?,\s*([\w.]+)(?:\(\w+\))?,/g)].map(([, call, schemas]) => ({
      call: last(call),
      schemas: last(schemas),
    })),
  )

/** The names of all calls in common. */
const calls = globSync('common/**/*calls.ts', { cwd: root }).flatMap(file =>
  [...textOf(file).matchAll(/^export const (\w+) = (?:\w+<'|\([^)]*\): Call<)/gm)].map(([, name = '']) => name),
)

test('every call is served with the schemas of its own name', () => {
  expect(served.filter(({ call, schemas }) => call !== schemas)).toEqual([])
})

test('every call is served', () => {
  expect(calls.length).toBeGreaterThan(60)
  const names = new Set(served.map(({ call }) => call))
  // Files have a route of their own, because they are not JSON.
  expect(calls.filter(name => !names.has(name))).toEqual(['getFile'])
})
