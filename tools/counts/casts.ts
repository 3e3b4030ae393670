import { parseSync } from 'vite'
import { add, type Counts } from './record.ts'
import { codeEndings, groupOf, type Source, trackedFiles } from './sources.ts'

type Node = { type: string; start: number; [field: string]: unknown }

/**
 * Counts types without proof: `any`, `!`, and `as X` without an explanation.
 * An explanation is a comment on the line of the cast or above it. `as const` proves itself.
 */
export function countCasts(sources: Source[] = trackedFiles(codeEndings)): Counts {
  const counts: Counts = {}
  for (const { path, text } of sources) {
    const { program, comments } = parseSync(path, text)
    const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length
    const explained = new Set(comments.flatMap(({ end }) => [lineOf(end), lineOf(end) + 1]))
    visit(program, node => {
      const kind = kindOf(node)
      if (kind && !(kind === 'as' && explained.has(lineOf(node.start)))) add(counts, groupOf(path), kind)
    })
  }
  return counts
}

function kindOf(node: Node): string | undefined {
  if (node.type === 'TSNonNullExpression') return '!'
  if (node.type === 'TSAnyKeyword') return 'any'
  if (node.type !== 'TSAsExpression' && node.type !== 'TSTypeAssertion') return undefined
  return isConst(node['typeAnnotation']) ? undefined : 'as'
}

const isConst = (type: unknown): boolean => isNode(type) && isNode(type['typeName']) && type['typeName']['name'] === 'const'

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, see)
  else if (isNode(value)) {
    see(value)
    for (const child of Object.values(value)) visit(child, see)
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'start' in value &&
  typeof value.start === 'number'
