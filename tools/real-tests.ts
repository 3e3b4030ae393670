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
  else collectTests(parseSync(path, source).program as unknown as Node, source, names)
  return names
}

function collectRules(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  if ('rule' in value && typeof value.rule === 'string') names.add(value.rule)
  for (const each of Object.values(value)) collectRules(each, names)
}

function collectTests(node: Node, source: string, names: Set<string>): void {
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression' || node.type === 'LogicalExpression') return
  if (node.type === 'CallExpression') {
    const called = calledIn(node['callee'] as Node)
    const [title, ...rest] = node['arguments'] as Node[]
    if (called && isExcused(called, rest)) return
    if (called && called.root !== 'describe' && title) {
      if (rest.some(isPlayed)) names.add(textOf(title, source))
      return
    }
  }
  if (node.type === 'ObjectExpression') collectAttack(node, names)
  for (const child of childrenOf(node)) collectTests(child, source, names)
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

function collectAttack(node: Node, names: Set<string>): void {
  const fields = (node['properties'] as Node[]).filter(({ type }) => type === 'Property')
  const valueOf = (name: string) => fields.find(field => (field['key'] as Node)['name'] === name)?.['value'] as Node | undefined
  const [id, run] = [valueOf('id'), valueOf('run')]
  if (id?.type === 'Literal' && run && isPlayed(run)) names.add(String(id['value']))
}

const keysOf = (node: Node): string[] => (node['properties'] as Node[]).map(each => String((each['key'] as Node | undefined)?.['name']))

const textOf = (title: Node, source: string): string =>
  title.type === 'Literal' ? String(title['value']) : source.slice(title.start + 1, title.end - 1)

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((each): each is Node => typeof each === 'object' && each !== null && typeof (each as { type?: unknown }).type === 'string')
}
