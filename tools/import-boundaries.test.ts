import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
/**
 * A feature may import the features before it (docs/map.md, Layers). The files at the top of a side combine the features, and `database` prepares the
 * tables and first rows of all: both may import any. `config` is read before any feature.
 */
const layers = [
  'kit',
  'geography',
  'business-unit',
  'session',
  'people',
  'products',
  'quotes',
  'payments',
  'accounting',
  'documents',
  'mail',
  'views',
  'reports',
  'policies',
  'tickets',
  'changes',
  'client',
  'agency',
  'funnel',
  'administration',
  'shell',
]
const sides = ['common', 'server', 'portal']
/** The folders beside the three sides. Their files may import from anywhere, but not in circles. */
const others = ['attacks', 'bench', 'e2e', 'fakes', 'fault-tests', 'testing', 'tools']

type Import = { from: string; to: string }

const imports = sides.flatMap(side => filesOf(side).flatMap(importsOf))

test('no feature imports one of a higher layer', () => {
  const upward = imports.filter(({ from, to }) => {
    const [here, there] = [layerOf(from), layerOf(to)]
    return here !== undefined && there !== undefined && there > here
  })
  expect(upward.map(describe)).toEqual([])
})

test('a server feature imports only public.ts of another', () => {
  const around = imports.filter(({ from, to }) => {
    const here = /^server\/[^/]+\//.test(from) ? featureOf(from) : undefined
    const there = layerOf(to) === undefined || sideOf(to) !== 'server' ? undefined : featureOf(to)
    return here && there && here !== there && there !== 'server/kit' && !to.endsWith('/public.ts')
  })
  expect(around.map(describe)).toEqual([])
})

test('server and portal meet only in common', () => {
  const through = imports.filter(({ from, to }) => sideOf(from) !== sideOf(to) && sideOf(to) !== 'common')
  expect(through.map(describe)).toEqual([])
})

test('no import circles', () => {
  // Type imports count, since a reader also follows them.
  const everywhere = [...imports, ...others.flatMap(filesOf).flatMap(importsOf)]
  expect(circlesIn(everywhere.map(({ from, to }): Edge => [from, to]))).toEqual([])
})

test('no circles among the sub-folders of a portal feature, including type imports', () => {
  const between = imports.flatMap(({ from, to }): Edge[] => {
    const [here, there] = [subFolderOf(from), subFolderOf(to)]
    return here && there && here !== there && featureOf(here) === featureOf(there) ? [[here, there]] : []
  })
  expect(circlesIn(between)).toEqual([])
})

test('a portal feature is imported through few files', () => {
  const entered = imports.filter(({ from, to }) => isPortal(from, to) && featureOf(from) !== featureOf(to) && !isShared(featureOf(to)))
  const entries = Map.groupBy(new Set(entered.map(({ to }) => to)), featureOf)
  expect(Object.fromEntries([...entries].map(([feature, files]) => [feature, files.length]))).toEqual(entryFiles)
})

/** The number of files of each feature that other features import. A new one needs a reason. */
const entryFiles = {
  // The settings, the day and the countries as options.
  'portal/business-unit': 3,
  // Files uploaded to tickets and with a sale: the files of a form with their request, their field, and their display.
  'portal/documents': 3,
  'portal/funnel': 1,
  'portal/geography': 1,
  // The card form, and the choice between card and account.
  'portal/payments': 2,
  // The palette's search, the saved quote that the funnel resumes, and the dialog that sends it.
  'portal/policies': 3,
  // The products, and the details of one over its price.
  'portal/products': 2,
  'portal/session': 5,
  'portal/tickets': 1,
  // The tabs, and the type of a list with views.
  'portal/views': 2,
}

type Edge = [from: string, to: string]

function circlesIn(edges: readonly Edge[]): string[] {
  const uses = Map.groupBy(edges, ([from]) => from)
  const done = new Set<string>()
  const circles = new Set<string>()
  const follow = (name: string, path: string[]): void => {
    if (path.includes(name)) circles.add([...path.slice(path.indexOf(name)), name].join(' → '))
    else if (!done.has(name)) {
      for (const [, to] of uses.get(name) ?? []) follow(to, [...path, name])
      done.add(name)
    }
  }
  for (const name of uses.keys()) follow(name, [])
  return [...circles]
}

const isPortal = (from: string, to: string): boolean =>
  layerOf(from) !== undefined && sideOf(from) === 'portal' && layerOf(to) !== undefined && sideOf(to) === 'portal'
const isShared = (feature: string): boolean => feature === 'portal/kit'

const featureOf = (path: string): string => path.split('/').slice(0, 2).join('/')

/** Returns `portal/funnel/trip` for a file in it, or undefined for a file at the top of its feature. */
function subFolderOf(file: string): string | undefined {
  const parts = file.split('/')
  return parts[0] === 'portal' && parts.length > 3 ? parts.slice(0, 3).join('/') : undefined
}

test('only the session feature makes a scope', () => {
  const makers = filesOf('server').filter(file => /\bas (?:Scope|AllUnits)\b/.test(textOf(file)))
  expect(makers).toEqual(['server/session/scope.ts'])
})

test('the administration makes a scope only from its access to all units', () => {
  expect(filesOf('server/administration').filter(file => !isTest(file) && /\bscopeOf\b/.test(textOf(file)))).toEqual([])
})

test('queries without a role are those of the schema, of copies and of the kit', () => {
  // Excludes the name in quotes, which is the package.
  const users = filesOf('server').filter(file => !isTest(file) && /\.pool\b|(?<!')\bkysely\b/.test(textOf(file)))
  expect(users).toEqual([
    'server/database/backup.ts',
    'server/database/migrate.ts',
    'server/database/routines.ts',
    'server/kit/database.ts',
    'server/kit/work/measure.ts',
  ])
})

test('a feature’s SQL is in its queries.ts, or in a file listed here', () => {
  const features = new Set(layers.slice(1).map(layer => `server/${layer}`))
  const holders = filesOf('server').filter(
    file => features.has(featureOf(file)) && !isTest(file) && !file.endsWith('/queries.ts') && containsSql.test(textOf(file)),
  )
  expect(holders).toEqual(otherSql)
})

const containsSql = /\.(?:selectFrom|selectFromShared|insertInto|updateTable|deleteFrom)\(|\bsql(?:\.raw\(|<[^`]*>`|`)/

/** Other files with SQL: seeds, loads and purges, one table with its rules, or the only query of one handler. A new one needs a reason. */
const otherSql = [
  'server/business-unit/settings.ts',
  'server/documents/uploads.ts',
  'server/geography/seed.ts',
  'server/policies/checks/book.ts',
  'server/policies/checks/invariants.ts',
  'server/policies/checks/movements.ts',
  'server/policies/seed/seed-command.ts',
  'server/policies/seed/write.ts',
  'server/products/catalogue/load-unit.ts',
  'server/products/catalogue/load.ts',
  'server/session/audit.ts',
  'server/session/external/host-token.ts',
  'server/session/password/forgot-password.ts',
  'server/session/profile/own-access.ts',
  'server/session/purge.ts',
  'server/session/seed.ts',
  'server/session/sign-in/open-session.ts',
  'server/session/sign-in/throttle.ts',
]

test('only database.ts makes a unit’s transaction', () => {
  const makers = filesOf('server').filter(file => /\bnew Unit(?:Transaction|Within)\b/.test(textOf(file)))
  expect(makers).toEqual(['server/kit/database.ts'])
})

test('only programs read the environment, at their start', () => {
  const readers = sides.flatMap(filesOf).filter(file => /process\.env\b/.test(textOf(file)) && !file.endsWith('.test.ts'))
  expect(readers.filter(file => !/(\/main|-command|\/testing)\.ts$/.test(file))).toEqual([])
})

test('a path in a file points to something in the repository', () => {
  const code = [...sides, ...others].flatMap(filesOf)
  const lost = code.flatMap(file => pathsIn(file).filter(path => relative(root, path).startsWith('..') || !existsSync(path)))
  expect(lost.map(path => relative(root, path))).toEqual([])
})

/** Returns the paths that a file builds from its own folder. Those made by a build or a test may be missing. */
const pathsIn = (file: string): string[] =>
  [...textOf(file).matchAll(/join\(import\.meta\.dirname, '([^']+)'/g)]
    .map(([, path = '']) => resolve(root, dirname(file), path))
    .filter(path => !/^(?:\.cache|\.env|dist)\b/.test(relative(root, path)))

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map(name => join(folder, name))
    .sort()
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** Resolves relative paths, too, so that `../` cannot cross a boundary. Tests may import anything. */
function importsOf(from: string): Import[] {
  if (/\.test\.tsx?$|\/testing[\w-]*\.ts$/.test(from)) return []
  return [...textOf(from).matchAll(/^(?:import|export)\s(?:type\s)?[^'"]*?from\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm)].flatMap(
    ([, still, late]) => {
      const name = still ?? late ?? ''
      const to = name.startsWith('#') ? name.slice(1) : name.startsWith('.') ? relative(root, resolve(root, from, '..', name)) : undefined
      return to && [...sides, ...others].includes(sideOf(to)) ? [{ from, to }] : []
    },
  )
}

function sideOf(file: string): string {
  return file.split('/')[0] ?? ''
}

function layerOf(file: string): number | undefined {
  const parts = file.split('/')
  const layer = parts.length > 2 ? layers.indexOf(parts[1] ?? '') : -1
  return layer < 0 ? undefined : layer
}

const isTest = (file: string): boolean => /\.test\.tsx?$|\/testing[\w-]*\.ts$/.test(file)

const describe = ({ from, to }: Import): string => `${from} uses ${to}`

test('a folder is at most two levels below its side', () => {
  const folders = new Set(sides.flatMap(filesOf).map(file => file.slice(0, file.lastIndexOf('/'))))
  expect([...folders].filter(folder => folder.split('/').length > 3)).toEqual([])
})

test('no file is longer than 350 lines', () => {
  const long = sides.flatMap(filesOf).filter(file => !/\.test\.tsx?$/.test(file) && textOf(file).split('\n').length > 350)
  expect(long).toEqual([])
})
