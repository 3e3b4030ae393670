import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'

type Node = { type: string; start: number; end: number; [field: string]: unknown }
type Called = { root: string; modifiers: string[]; emptyList: boolean }

/** Modifiers with which a test may not run, or passes by failing. */
const excuses = new Set(['skip', 'todo', 'fails', 'skipIf', 'runIf', 'only'])

/**
 * Returns the names of all that really runs in a file: titles of tests, ids of attacks, rules of vectors. Commented-out, skipped, planned,
 * conditional and empty tests are left out.
 */
export function realTestsIn(path: string, source = readFileSync(path, 'utf8')): Set<string> {
  const names = new Set<string>()
  if (path.endsWith('.json')) collectRules(JSON.parse(source), names)
  else collectTests(treeOf(path, source), source, name => names.add(name))
  return names
}

/** Returns the tags of all tests that really run in a file. */
export function tagsIn(path: string, source = readFileSync(path, 'utf8')): Set<string> {
  const tags = new Set<string>()
  collectTests(treeOf(path, source), source, (_, own) => own.forEach(tag => tags.add(tag)))
  return tags
}

// The parser's own type lists every kind of node; here a node is any of them.
const treeOf = (path: string, source: string): Node => parseSync(path, source).program as unknown as Node

function collectRules(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  if ('rule' in value && typeof value.rule === 'string') names.add(value.rule)
  for (const each of Object.values(value)) collectRules(each, names)
}

type Collect = (name: string, tags: string[]) => void

function collectTests(node: Node, source: string, collect: Collect): void {
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression' || node.type === 'LogicalExpression') return
  if (node.type === 'CallExpression') {
    const called = calledIn(node['callee'] as Node)
    const [title, ...rest] = node['arguments'] as Node[]
    if (called && isExcused(called, rest)) return
    if (called && called.root !== 'describe' && title) {
      if (rest.some(isPlayed)) collect(textOf(title, source), rest.flatMap(tagsOf))
      return
    }
  }
  if (node.type === 'ObjectExpression') collectAttack(node, collect)
  for (const child of childrenOf(node)) collectTests(child, source, collect)
}

/** Returns the function and its modifiers, for `test`, `it.each(…)` or `describe.skip`. */
function calledIn(callee: Node, modifiers: string[] = [], emptyList = false): Called | undefined {
  if (callee.type === 'Identifier') {
    const root = String(callee['name'])
    return ['test', 'it', 'describe'].includes(root) ? { root, modifiers, emptyList } : undefined
  }
  if (callee.type === 'MemberExpression')
    return calledIn(callee['object'] as Node, [...modifiers, String((callee['property'] as Node)['name'])], emptyList)
  if (callee.type === 'CallExpression') {
    const [list] = callee['arguments'] as Node[]
    const isEmpty = list?.type === 'ArrayExpression' && (list['elements'] as Node[]).length === 0
    return calledIn(callee['callee'] as Node, modifiers, emptyList || isEmpty)
  }
  return undefined
}

const isExcused = ({ modifiers, emptyList }: Called, rest: Node[]): boolean =>
  emptyList ||
  modifiers.some(name => excuses.has(name)) ||
  rest.some(each => each.type === 'ObjectExpression' && keysOf(each).some(key => excuses.has(key)))

/** Returns whether it is a function with a body that does not skip itself. */
function isPlayed(node: Node): boolean {
  if (!node.type.endsWith('FunctionExpression')) return false
  const body = node['body'] as Node
  const isEmpty = body.type === 'BlockStatement' && (body['body'] as Node[]).length === 0
  return !isEmpty && !skipsItself(body)
}

function skipsItself(node: Node): boolean {
  const callee = node.type === 'CallExpression' ? (node['callee'] as Node) : undefined
  const name = callee?.type === 'MemberExpression' ? (callee['property'] as Node)['name'] : callee?.['name']
  return name === 'skip' || childrenOf(node).some(skipsItself)
}

function collectAttack(node: Node, collect: Collect): void {
  const [id, run] = [valueOf(node, 'id'), valueOf(node, 'run')]
  if (id?.type === 'Literal' && run && isPlayed(run)) collect(String(id['value']), [])
}

/** The tags in a test's options: `{ tags: 'S2.1' }` or `{ tags: ['S2.1', 'S3.4'] }`. */
function tagsOf(options: Node): string[] {
  const tags = options.type === 'ObjectExpression' ? valueOf(options, 'tags') : undefined
  const list = tags?.type === 'ArrayExpression' ? (tags['elements'] as Node[]) : tags ? [tags] : []
  return list.map(each => String(each['value']))
}

function valueOf(node: Node, name: string): Node | undefined {
  const fields = (node['properties'] as Node[]).filter(({ type }) => type === 'Property')
  return fields.find(field => (field['key'] as Node)['name'] === name)?.['value'] as Node | undefined
}

const keysOf = (node: Node): string[] => (node['properties'] as Node[]).map(each => String((each['key'] as Node | undefined)?.['name']))

const textOf = (title: Node, source: string): string =>
  title.type === 'Literal' ? String(title['value']) : source.slice(title.start + 1, title.end - 1)

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((each): each is Node => typeof each === 'object' && each !== null && typeof (each as { type?: unknown }).type === 'string')
}
