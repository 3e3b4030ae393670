import type * as z from 'zod/mini'
import { pathText } from './json.ts'

/** A problem in a catalogue file, its path within the file, and what was expected. */
export type CatalogueProblem = { file: string; path: string; problem: string }

type Issue = z.core.$ZodIssue

/** Converts the schema's issues to problems in words. */
export function shapeProblems(file: string, value: unknown, issues: readonly Issue[]): CatalogueProblem[] {
  return issues.flatMap(issue => problemsOf(file, value, issue))
}

function problemsOf(file: string, whole: unknown, issue: Issue): CatalogueProblem[] {
  const at = (path: readonly PropertyKey[], problem: string): CatalogueProblem => ({ file, path: pathText(path), problem })
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => at([...issue.path, key], 'is not known here'))
  if (issue.code === 'invalid_union' && issue.errors.some(branch => branch.some(inner => inner.path.length > 0)))
    return unionProblems(file, whole, issue)
  if (issue.code === 'invalid_key') return [at(issue.path, `has not a name of the form ${patternsOf(issue.issues)}`)]
  const found = valueAt(whole, issue.path)
  if (found === undefined) return [at(issue.path, `is missing; expected ${expectation(issue)}`)]
  return [at(issue.path, `is ${shown(found)}; expected ${expectation(issue)}`)]
}

/** Reports the problems of the union's branches that fit the value's fields best. */
function unionProblems(file: string, whole: unknown, { errors, path }: Extract<Issue, { code: 'invalid_union' }>): CatalogueProblem[] {
  const branches = errors.map(branch => branch.map(issue => ({ ...issue, path: [...path, ...issue.path] })))
  const misfits = (branch: Issue[]) => branch.filter(issue => issue.code === 'unrecognized_keys' || isMissing(whole, issue)).length
  const fewest = Math.min(...branches.map(misfits))
  const closest = branches.filter(branch => misfits(branch) === fewest)
  const [first = []] = closest
  const missing = closest.map(branch => branch.find(issue => isMissing(whole, issue)))
  if (closest.length === 1 || missing.includes(undefined)) return shapeProblems(file, whole, first)
  const names = [...new Set(missing.map(issue => String(issue?.path.at(-1))))]
  const rest = shapeProblems(
    file,
    whole,
    first.filter(issue => !isMissing(whole, issue)),
  )
  return [...rest, { file, path: pathText(path), problem: `lacks one of: ${names.join(', ')}` }]
}

const isMissing = (whole: unknown, issue: Issue): boolean => issue.code === 'invalid_type' && valueAt(whole, issue.path) === undefined

function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  // Safe: reading a property of any value but null or undefined gives undefined at worst.
  return path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | null | undefined)?.[step], whole)
}

const patternsOf = (issues: readonly Issue[]): string =>
  issues.map(issue => (issue.code === 'invalid_format' ? (issue.pattern ?? issue.format) : issue.code)).join(', ')

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a whole number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? issue.expected
    case 'too_small':
      return issue.origin === 'string' ? 'a text that is not empty' : `at least ${count(issue.minimum, issue.origin)}`
    case 'too_big':
      return `at most ${count(issue.maximum, issue.origin)}`
    case 'invalid_format':
      return issue.format === 'email' ? 'an e-mail address' : `a text of the form ${issue.pattern ?? issue.format}`
    case 'invalid_value':
      return issue.values.map(value => JSON.stringify(value)).join(' or ')
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? issue.options.map(option => JSON.stringify(option)).join(' or ')
        : issue.errors.flatMap(branch => branch.map(expectation)).join(' or ')
    default:
      return issue.message
  }
}

const count = (bound: number | bigint, origin: string): string =>
  origin === 'array' ? `${bound} entries` : origin === 'string' ? `${bound} characters` : String(bound)
