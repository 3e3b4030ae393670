import type * as z from 'zod/mini'
import type { Problem } from '#common/kit/problems.ts'

type Issue = z.core.$ZodIssue

/** Turns the issues that a schema found into problems of fields. */
export const shapeProblems = (issues: readonly Issue[]): Problem[] => issues.slice(0, 100).flatMap(problemsOf)

function problemsOf(issue: Issue): Problem[] {
  const path = pathOf(issue.path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, 20).map(key => ({ path: pathOf([...issue.path, key]), rule: 'unknown', key: 'shape.unknown' }))
    case 'invalid_type':
      return [issue.input === undefined ? { path, rule: 'required', key: 'shape.required' } : { path, rule: 'type', key: 'shape.type' }]
    case 'too_small':
      return [bound(path, issue.origin, 'min', Number(issue.minimum))]
    case 'too_big':
      return [bound(path, issue.origin, 'max', Number(issue.maximum))]
    default: {
      const isDate = issue.code === 'invalid_format' && issue.format === 'date'
      return [isDate ? { path, rule: 'validDate', key: 'validation.invalidDate' } : { path, rule: 'format', key: 'shape.format' }]
    }
  }
}

function bound(path: string, origin: string, side: 'min' | 'max', limit: number): Problem {
  const counted = origin === 'string' || origin === 'array' || origin === 'set'
  if (side === 'min')
    return { path, rule: counted ? 'minLength' : 'min', key: counted ? 'shape.too_short' : 'shape.too_small', params: { limit } }
  return { path, rule: counted ? 'maxLength' : 'max', key: counted ? 'shape.too_long' : 'shape.too_big', params: { limit } }
}

/** Returns a path as refusals write it: `users[1].docNumber`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)), '')
    .slice(0, 200)
