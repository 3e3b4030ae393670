import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { codeEndings, groupOf, type Source, trackedFiles } from './sources.ts'

type Node = { type: string; start: number; end: number; [field: string]: unknown }
/** `names`: the imported names; for a re-export, the re-exported ones. */
type Import = { to: string; isType: boolean; isHandedOn: boolean; names: string[] }
type File = { path: string; lines: number; importLines: number; imports: Import[]; tripShapes: number }

/** The calls of a sale on account and of a change. The counts start at their handlers. */
const walks = {
  'a sale on account': ['server/policies/sale/register.ts', 'server/policies/sale/purchase.ts'],
  'a change': ['server/changes/make.ts'],
}

/**
 * Counts what a newcomer must learn: size, shapes of a trip, and the files behind a sale and a change. Product files are the code of common, server
 * and portal without tests and test builders. A shape of a trip is an object type with a first day, a last day and a destination, under any of their
 * names. The files behind a call are the product files that its handlers load, directly or through others. Those of portal, kit and rating are left
 * out. Types load nothing. A file is counted once.
 */
export function countReach(sources: Source[] = trackedFiles(codeEndings)): Record<string, number | string> {
  const files = new Map(sources.filter(isProduct).map(source => [source.path, readFile(source)]))
  const all = [...files.values()]
  const sum = (of: (file: File) => number) => all.reduce((total, file) => total + of(file), 0)
  const [lines, importLines] = [sum(file => file.lines), sum(file => file.importLines)]
  return {
    'product lines without imports': lines - importLines,
    'lines of imports': `${((100 * importLines) / lines).toFixed(1)} %`,
    'product files': all.length,
    'files of at most 40 lines': all.filter(file => file.lines <= 40).length,
    'shapes of a trip': sum(file => file.tripShapes),
    'import circles': circlesIn(files).length,
    ...Object.fromEntries(Object.entries(walks).map(([name, starts]) => [`files of ${name}`, filesBehind(files, starts).length])),
  }
}

const isProduct = ({ path }: Source): boolean => /^(?:common|server|portal)$/.test(groupOf(path)) && !path.startsWith('portal/dev/')

function readFile({ path, text }: Source): File {
  const { program } = parseSync(path, text)
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length
  const statements = program.body.filter(node => node.type === 'ImportDeclaration')
  const reexports = program.body.filter(node => node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration')
  const imports = [...statements, ...reexports].flatMap(node => {
    const to = node.source && pathOf(path, node.source.value)
    if (!to) return []
    if (node.type === 'ExportAllDeclaration') return [{ to, isType: node.exportKind === 'type', isHandedOn: true, names: [] }]
    if (node.type === 'ExportNamedDeclaration')
      return node.specifiers.map(({ exported, exportKind }) => ({
        to,
        isType: node.exportKind === 'type' || exportKind === 'type',
        isHandedOn: true,
        names: [nameOf(exported)],
      }))
    return [
      {
        to,
        isType: node.importKind === 'type' || (node.specifiers.length > 0 && node.specifiers.every(isTypeOnly)),
        isHandedOn: false,
        names: node.specifiers.flatMap(each => (each.type === 'ImportSpecifier' && !isTypeOnly(each) ? [nameOf(each.imported)] : [])),
      },
    ]
  })
  return {
    path,
    lines: text.split('\n').length - 1,
    importLines: statements.reduce((sum, { start, end }) => sum + lineOf(end) - lineOf(start) + 1, 0),
    imports,
    tripShapes: tripShapesIn(program),
  }
}

const isTypeOnly = (each: { type: string; importKind?: string }): boolean => each.type === 'ImportSpecifier' && each.importKind === 'type'

/** Returns the name of an import or export, which may be quoted. */
const nameOf = (name: { type: string; name?: string; value?: string }): string => name.name ?? name.value ?? ''

/** Returns the path of a project file that an import names. */
const pathOf = (from: string, target: string): string | undefined =>
  target.startsWith('#') ? target.slice(1) : target.startsWith('.') ? join(dirname(from), target) : undefined

const names = {
  start: ['startDate', 'start', 'from'],
  end: ['endDate', 'end', 'to'],
  destination: ['destinations', 'destination', 'mainDestination', 'countriesDestinationId'],
}

function tripShapesIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + tripShapesIn(each), 0)
  if (!isNode(value)) return 0
  const own = value.type === 'TSTypeLiteral' || value.type === 'TSInterfaceBody' ? keysOf(value) : []
  const isTrip = Object.values(names).every(known => known.some(name => own.includes(name)))
  return Object.values(value).reduce((sum: number, child) => sum + tripShapesIn(child), isTrip ? 1 : 0)
}

function keysOf(node: Node): string[] {
  const members = node.type === 'TSTypeLiteral' ? node['members'] : node['body']
  return Array.isArray(members)
    ? members.flatMap(member => (isNode(member) && isNode(member['key']) ? [String(member['key']['name'])] : []))
    : []
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Returns the files imported from these, outside of portal, kit and rating. A file of re-exports counts only for the imported names. */
function filesBehind(files: Map<string, File>, starts: string[]): string[] {
  const found = new Set<string>()
  const seen = new Set<string>()
  const open: { path: string; names: string[] }[] = starts.map(path => ({ path, names: [] }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, names } = next
    const file = files.get(path)
    const key = `${path} ${names.toSorted().join()}`
    if (!file || seen.has(key) || /^portal\/|\/kit\/|\/rating\//.test(path)) continue
    seen.add(key)
    const handed = file.imports.filter(each => each.isHandedOn && each.names.some(name => names.includes(name)))
    open.push(...handed.map(({ to, names }) => ({ path: to, names })))
    // A file that only re-exports the imported names does no work of its own.
    if (names.length > 0 && names.every(name => handed.some(each => each.names.includes(name)))) continue
    found.add(path)
    open.push(...file.imports.filter(({ isType, isHandedOn }) => !isType && !isHandedOn).map(({ to, names }) => ({ path: to, names })))
  }
  return [...found]
}

/** Returns the groups of files that import each other in a circle, including type imports. */
function circlesIn(files: Map<string, File>): string[][] {
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>()
    const open = [from]
    for (let path = open.pop(); path !== undefined; path = open.pop())
      for (const { to } of files.get(path)?.imports ?? [])
        if (!seen.has(to)) {
          seen.add(to)
          open.push(to)
        }
    return seen
  }
  const behind = new Map([...files.keys()].map(path => [path, reach(path)]))
  const circles = new Map<string, string[]>()
  for (const [path, seen] of behind) {
    if (!seen.has(path)) continue
    const circle = [...seen].filter(other => behind.get(other)?.has(path)).toSorted()
    circles.set(circle.join(), circle)
  }
  return [...circles.values()]
}
