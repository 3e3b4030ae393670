import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'

type Node = { type: string; start: number; end: number; [field: string]: unknown }
type Called = { root: string; modifiers: string[]; emptyList: boolean }

/** Modifiers with which a test may not run, or passes by failing. */
const excuses = new Set(['skip', 'todo', 'fails', 'skipIf', 'runIf', 'only'])

/**
 * Returns the names of everything that runs in a file: titles of tests, ids of attacks, rules of vectors. Commented-out, skipped, planned,
 * conditional and empty tests are left out.
 */
export function realTestsIn(path: string, source = readFileSync(path, 'utf8')): Set<string> {
  const names = new Set<string>()
  if (path.endsWith('.json')) collectRules(JSON.parse(source), names)
  else collectTests(treeOf(path, source), source, name => names.add(name))
  return names
}

/** Returns the titles of all groups of tests in a file. */
export function groupsIn(path: string, source = readFileSync(path, 'utf8')): Set<string> {
  const names = new Set<string>()
  collectTests(
    treeOf(path, source),
    source,
    () => undefined,
    name => names.add(name),
  )
  return names
}

/** Returns the tags of all tests that really run in a file. */
export function tagsIn(path: string, source = readFileSync(path, 'utf8')): Set<string> {
  const tags = new Set<string>()
  collectTests(treeOf(path, source), source, (_, own) => own.forEach(tag => tags.add(tag)))
  return tags
}

// The parser's own type lists every kind of node, while a node here is any of them.
const treeOf = (path: string, source: string): Node => parseSync(path, source).program as unknown as Node

function collectRules(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  if ('rule' in value && typeof value.rule === 'string') names.add(value.rule)
  for (const each of Object.values(value)) collectRules(each, names)
}

type Collect = (name: string, tags: string[]) => void

function collectTests(node: Node, source: string, collect: Collect, collectGroup?: (name: string) => void): void {
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression' || node.type === 'LogicalExpression') return
  if (node.type === 'CallExpression') {
    const called = calledIn(nodeIn(node, 'callee'))
    const [title, ...rest] = nodesIn(node, 'arguments')
    if (called && isExcused(called, rest)) return
    if (called && called.root !== 'describe' && title) {
      if (rest.some(isPlayed)) collect(textOf(title, source), rest.flatMap(tagsOf))
      return
    }
    if (called && title) collectGroup?.(textOf(title, source))
  }
  if (node.type === 'ObjectExpression') collectAttack(node, collect)
  for (const child of childrenOf(node)) collectTests(child, source, collect, collectGroup)
}

/** Returns the function and its modifiers, for `test`, `it.each(…)` or `describe.skip`. */
function calledIn(callee: Node, modifiers: string[] = [], emptyList = false): Called | undefined {
  if (callee.type === 'Identifier') {
    const root = String(callee['name'])
    return ['test', 'it', 'describe'].includes(root) ? { root, modifiers, emptyList } : undefined
  }
  if (callee.type === 'MemberExpression')
    return calledIn(nodeIn(callee, 'object'), [...modifiers, String(nodeIn(callee, 'property')['name'])], emptyList)
  if (callee.type === 'CallExpression') {
    const [list] = nodesIn(callee, 'arguments')
    const isEmpty = list?.type === 'ArrayExpression' && nodesIn(list, 'elements').length === 0
    return calledIn(nodeIn(callee, 'callee'), modifiers, emptyList || isEmpty)
  }
  return undefined
}

const isExcused = ({ modifiers, emptyList }: Called, rest: Node[]): boolean =>
  emptyList ||
  modifiers.some(name => excuses.has(name)) ||
  rest.some(each => each.type === 'ObjectExpression' && keysOf(each).some(key => excuses.has(key)))

/** Returns true if it is a function with a body that does not skip itself. */
function isPlayed(node: Node): boolean {
  if (!node.type.endsWith('FunctionExpression')) return false
  const body = nodeIn(node, 'body')
  const isEmpty = body.type === 'BlockStatement' && nodesIn(body, 'body').length === 0
  return !isEmpty && !skipsItself(body)
}

function skipsItself(node: Node): boolean {
  const callee = node.type === 'CallExpression' ? nodeIn(node, 'callee') : undefined
  const name = callee?.type === 'MemberExpression' ? nodeIn(callee, 'property')['name'] : callee?.['name']
  return name === 'skip' || childrenOf(node).some(skipsItself)
}

function collectAttack(node: Node, collect: Collect): void {
  const [id, run] = [valueOf(node, 'id'), valueOf(node, 'run')]
  if (id?.type === 'Literal' && run && isPlayed(run)) collect(String(id['value']), [])
}

/** Returns the tags in a test's options: `{ tags: 'S2.1' }` or `{ tags: ['S2.1', 'S3.4', …] }`. */
function tagsOf(options: Node): string[] {
  const tags = options.type === 'ObjectExpression' ? valueOf(options, 'tags') : undefined
  const list = tags?.type === 'ArrayExpression' ? nodesIn(tags, 'elements') : tags ? [tags] : []
  return list.flatMap(each => (each.type === 'Literal' ? [String(each['value'])] : []))
}

function valueOf(node: Node, name: string): Node | undefined {
  const fields = nodesIn(node, 'properties').filter(({ type }) => type === 'Property')
  const field = fields.find(each => nodeIn(each, 'key')['name'] === name)
  return field && nodeIn(field, 'value')
}

const keysOf = (node: Node): string[] =>
  nodesIn(node, 'properties').map(each => String(isNode(each['key']) ? each['key']['name'] : undefined))

const textOf = (title: Node, source: string): string =>
  title.type === 'Literal' ? String(title['value']) : source.slice(title.start + 1, title.end - 1)

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

// Safe: in the syntax tree (ESTree), each field that is read here is a node.
const nodeIn = (node: Node, field: string): Node => node[field] as Node

// Safe: as above, with a list of nodes.
const nodesIn = (node: Node, field: string): Node[] => node[field] as Node[]
