import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import type { AnyCall, CallSchemas } from '#common/kit/call.ts'
import { root } from './processes.ts'

// docs/believed.md names each instant, day, amount, number and flag of a request that is stored.

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The part of a schema by which its fields are found. */
type Node = {
  safeParse: (value: unknown) => { success: boolean }
  _zod: {
    def: { type: string; shape?: Record<string, Node>; element?: Node; innerType?: Node; options?: Node[]; in?: Node; valueType?: Node }
  }
}

const days = ['2026-11-29', '2026-11', '2026-11-29T10:00:00Z']
const others = ['xxxxxxx', 'xxxxxxxxxxxxxxxxxxxx']
const isWanted = (leaf: Node): boolean =>
  ['number', 'int', 'boolean'].includes(leaf._zod.def.type) ||
  (leaf._zod.def.type === 'string' && days.some(day => leaf.safeParse(day).success) && others.every(text => !leaf.safeParse(text).success))

/** Lists all fields by their paths, and marks instants, days, amounts, numbers and flags. */
function fieldsIn(node: Node, path = ''): { path: string; isWanted: boolean }[] {
  const { shape, element, innerType, options, in: input, valueType } = node._zod.def
  if (shape) return Object.entries(shape).flatMap(([name, field]) => fieldsIn(field, path ? `${path}.${name}` : name))
  const inner = [element, innerType, input, valueType, ...(options ?? [])].filter(each => each !== undefined)
  return inner.length > 0 ? inner.flatMap(each => fieldsIn(each, path)) : [{ path, isWanted: isWanted(node) }]
}

type Sent = { call: string; fields: ReturnType<typeof fieldsIn> }

/** Reads a file of calls, each with the schemas of its name. */
async function callsIn(file: string): Promise<Sent[]> {
  const modules = [...textOf(file).matchAll(/import type \* as \w+ from '\.\/([^']+)'/g)].map(([, path = '']) =>
    join(root, dirname(file), path),
  )
  const schemas: Record<string, CallSchemas> = Object.assign({}, ...(await Promise.all(modules.map(module => import(module)))))
  const calls: object = await import(join(root, file))
  return Object.entries(calls).flatMap(([name, call]: [string, AnyCall | (() => unknown)]) => {
    if (typeof call === 'function') return []
    const request = schemas[name]?.request
    if (!request) throw new Error(`${file} has no schemas of ${name}`)
    return [{ call: `${call.method} ${call.path}`, fields: fieldsIn(request) }]
  })
}

const sent = (await Promise.all(globSync('common/**/*calls.ts', { cwd: root }).map(callsIn))).flat()

const page = textOf('docs/believed.md')
const codesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
const isCall = (code: string): boolean => /^(?:GET|POST|PUT|DELETE) \//.test(code)

/** The rows of the page: calls and fields from the first column, and tests from the last. */
const rows = page.split('\n').flatMap(line => {
  const codes = line.startsWith('| ') ? codesIn(line.split('|')[1] ?? '') : []
  const tests = line.split('|').at(-2) ?? ''
  return codes.some(isCall) ? [{ calls: codes.filter(isCall), fields: codes.filter(code => !isCall(code)), tests }] : []
})
/** The calls that store nothing of their request. */
const keepNothing = new Set(codesIn(page.split('## Kept by no call')[1] ?? '').filter(isCall))

test('the page names each instant, amount and flag of a call, or that none is stored', () => {
  expect(sent.length).toBeGreaterThan(100)
  const unnamed = sent.flatMap(({ call, fields }) => {
    if (keepNothing.has(call)) return []
    const named = new Set(rows.filter(({ calls }) => calls.includes(call)).flatMap(row => row.fields))
    return fields.filter(field => field.isWanted && !named.has(field.path)).map(({ path }) => `${call} ${path}`)
  })
  expect([...new Set(unnamed)]).toEqual([])
})

test('the page names no removed call or field', () => {
  const fieldsOf = new Map(sent.map(({ call, fields }) => [call, fields.map(({ path }) => path)]))
  const named = [...rows, { calls: [...keepNothing], fields: [], tests: '' }]
  expect(named.flatMap(({ calls }) => calls).filter(call => !fieldsOf.has(call))).toEqual([])
  expect(named.flatMap(({ calls, fields }) => fields.filter(field => !calls.some(call => fieldsOf.get(call)?.includes(field))))).toEqual([])
})

test('the files and attacks that the page names exist', () => {
  const files = codesIn(page).filter(code => /^(?:common|server|portal|attacks)\/[^ *]+\.ts$/.test(code))
  expect(files.length).toBeGreaterThan(30)
  const known = new Set(globSync('{common,server,portal,attacks}/**/*.ts', { cwd: root }).map(file => relative('.', file)))
  expect(files.filter(file => !known.has(file))).toEqual([])
  expect(attacksIn(page).filter(id => !attacks.has(id))).toEqual([])
})

const attacksIn = (text: string): string[] => [...text.matchAll(/attack ([A-Z]\d+)/g)].map(([, id = '']) => id)

/** The text of each attack, by its id. */
const attacks = new Map(
  globSync('attacks/*.ts', { cwd: root })
    .flatMap(file => textOf(file).split(/(?=\bid: '\w+')/))
    .map(text => [/^id: '(\w+)'/.exec(text)?.[1] ?? '', text]),
)

test('the tests of a row name each of its fields', () => {
  const unnamed = rows.flatMap(({ calls, fields, tests }) => {
    const files = codesIn(tests).filter(code => code.endsWith('.ts'))
    const text = [...files.map(textOf), ...attacksIn(tests).map(id => attacks.get(id))].join('\n')
    const words = new Set(text.match(/\w+/g))
    return fields.filter(field => !words.has(field.split('.').at(-1) ?? '')).map(field => `${calls[0]} ${field}`)
  })
  expect(unnamed).toEqual([])
})
