import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
/** Rooms may use those before them (docs/map.md, the ladder). `database` and the files at the top are the ground under every room. */
const ladder = [
  'kit',
  'geography',
  'business-unit',
  'session',
  'products',
  'quotes',
  'payments',
  'documents',
  'mail',
  'policies',
  'tickets',
  'agency',
  'funnel',
  'administration',
  'shell',
]
const sides = ['common', 'server', 'portal']

type Import = { from: string; to: string; typeOnly: boolean }

const imports = sides.flatMap(side => filesOf(side).flatMap(importsOf))

test('the ladder: no room uses one above it', () => {
  const upward = imports.filter(({ from, to }) => {
    const [here, there] = [rungOf(from), rungOf(to)]
    return here !== undefined && there !== undefined && there > here
  })
  expect(upward.map(describe)).toEqual([])
})

test('server and portal meet only in common', () => {
  const through = imports.filter(({ from, to }) => sideOf(from) !== sideOf(to) && sideOf(to) !== 'common')
  expect(through.map(describe)).toEqual([])
})

/** Here imports of types alone still form circles. */
const typesMayCircle = /^portal\/|^server\/kit\/upload\//

test('no import circles', () => {
  const uses = Map.groupBy(
    imports.filter(({ from, typeOnly }) => !typeOnly || !typesMayCircle.test(from)),
    ({ from }) => from,
  )
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    else if (!done.has(file)) {
      for (const { to } of uses.get(file) ?? []) walk(to, [...path, file])
      done.add(file)
    }
  }
  for (const file of uses.keys()) walk(file, [])
  expect(circles).toEqual([])
})

test('a scope is made by the session room alone', () => {
  const makers = filesOf('server').filter(file => /\bas (?:Scope|AllUnits)\b/.test(textOf(file)))
  expect(makers).toEqual(['server/session/scope.ts'])
})

test('a unit’s transaction is made by database.ts alone', () => {
  const makers = filesOf('server').filter(file => /\bnew Unit(?:Transaction|Within)\b/.test(textOf(file)))
  expect(makers).toEqual(['server/kit/database.ts'])
})

test('the environment is read by programs at their start, and by nothing they call', () => {
  const readers = sides.flatMap(filesOf).filter(file => /process\.env\b/.test(textOf(file)) && !file.endsWith('.test.ts'))
  expect(readers.filter(file => !/(\/main|-command|\/testing)\.ts$/.test(file))).toEqual([])
})

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map(name => join(folder, name))
    .sort()
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** Relative paths are resolved too: a wall that can be walked around with `../` is none. The tests of a file may use what they need. */
function importsOf(from: string): Import[] {
  if (/\.test\.tsx?$|\/testing\.ts$/.test(from)) return []
  return [...textOf(from).matchAll(/^(?:import|export)\s(type\s)?[^'"]*?from\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm)].flatMap(
    ([, type, still, late]) => {
      const name = still ?? late ?? ''
      const to = name.startsWith('#') ? name.slice(1) : name.startsWith('.') ? relative(root, resolve(root, from, '..', name)) : undefined
      return to && sides.includes(sideOf(to)) ? [{ from, to, typeOnly: Boolean(type) }] : []
    },
  )
}

function sideOf(file: string): string {
  return file.split('/')[0] ?? ''
}

function rungOf(file: string): number | undefined {
  const parts = file.split('/')
  const rung = parts.length > 2 ? ladder.indexOf(parts[1] ?? '') : -1
  return rung < 0 ? undefined : rung
}

const describe = ({ from, to }: Import): string => `${from} uses ${to}`

test('no folder holds more than twelve files, and none lies deeper than two below its side', () => {
  const files = sides.flatMap(filesOf).filter(file => !/\.test\.tsx?$/.test(file))
  const folders = Map.groupBy(files, file => file.slice(0, file.lastIndexOf('/')))
  const crowded = [...folders].filter(([, held]) => held.length > 12).map(([folder, held]) => `${folder}: ${held.length}`)
  expect(crowded).toEqual([])
  expect([...folders.keys()].filter(folder => folder.split('/').length > 3)).toEqual([])
})

test('no file is longer than three hundred lines', () => {
  const long = sides.flatMap(filesOf).filter(file => !/\.test\.tsx?$/.test(file) && textOf(file).split('\n').length > 300)
  expect(long).toEqual([])
})
