import { type FieldError, type FieldErrors, type FieldValues, type Resolver, set } from 'react-hook-form'
import type { Problem } from '#common/kit/problems.ts'

/** The problem of a field: a rule's problem, translated when it is shown, or the service's message. */
export type FieldProblem = FieldError & { problem?: Problem | undefined }

/** True for the rule of a field that must not be empty. */
export const isMissing = (rule: string): boolean => rule.startsWith('required')

/**
 * The rules of a form. They run as a whole, as one may depend on several fields. `names` are the fields to validate: a long form may skip the others.
 */
export type FormRules<Values> = (values: Values, names: readonly string[]) => Problem[]

/** Returns a react-hook-form resolver for rules of `common`. Until the form `wasSent`, empty fields are no problem. */
export const resolverOf =
  <Values extends FieldValues>(rules: FormRules<Values>, wasSent = true): Resolver<Values> =>
  (values, _context, { names = [] }) => {
    const errors = fieldErrors<Values>(rules(values, names).filter(({ rule }) => wasSent || !isMissing(rule)))
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }

/**
 * Returns the first problem of each path, nested as react-hook-form expects. If rows of a list also have problems, the list's own problem is at its
 * root.
 */
export function fieldErrors<Values extends FieldValues>(problems: readonly Problem[]): FieldErrors<Values> {
  const first = new Map<string, Problem>()
  for (const problem of problems) if (!first.has(problem.path)) first.set(problem.path, problem)
  const parents = new Set<string>()
  for (const path of first.keys()) addParents(path, parents)
  const errors = {}
  for (const [path, problem] of first) {
    const name = path === '' || parents.has(path) ? `${formName(path)}.root`.replace(/^\./, '') : formName(path)
    set(errors, name, { type: problem.rule, problem } satisfies FieldProblem)
  }
  return errors
}

/** Adds `users` and `users[1]` for `users[1].name`. Stops at a known parent, whose own parents were added with it. */
function addParents(path: string, parents: Set<string>): void {
  for (let end = breakBefore(path, path.length); end > 0; end = breakBefore(path, end)) {
    const parent = path.slice(0, end)
    if (parents.has(parent)) return
    parents.add(parent)
  }
}

const breakBefore = (path: string, end: number): number => Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1))

/** Converts `users[1].name`, the format of rules and service, to the form's `users.1.name`. */
export const formName = (path: string): string => path.replaceAll(/\[(\d+)\]/g, '.$1')

type Named = { name: string; problem: FieldProblem }

/** Returns every problem of a form, with the name of its field, in the rules' order. */
export function problemList(errors: unknown, path = ''): Named[] {
  if (typeof errors !== 'object' || errors === null) return []
  if (isFieldProblem(errors)) return [{ name: path.replace(/\.root$/, ''), problem: errors }]
  return Object.entries(errors).flatMap(([key, value]) => (key === 'ref' ? [] : problemList(value, path ? `${path}.${key}` : key)))
}

type Placed = { compareDocumentPosition(other: Placed): number }
/** The bit of `compareDocumentPosition` for an element that comes later. */
const follows = 4

/** Sorts problems by the position of their fields on the screen. A list's problem comes before its rows', and one without a field last. */
export function inScreenOrder<Element extends Placed>(
  problems: readonly { name: string; problem: FieldProblem }[],
  elements: ReadonlyMap<string, Element>,
): { name: string; problem: FieldProblem }[] {
  const names = [...elements].toSorted(([, a], [, b]) => (a.compareDocumentPosition(b) & follows ? -1 : 1)).map(([name]) => name)
  const indexOf = (name: string) => {
    const index = names.findIndex(each => each === name || each.startsWith(`${name}.`))
    return index < 0 ? names.length : index
  }
  return problems.toSorted((a, b) => indexOf(a.name) - indexOf(b.name) || a.name.length - b.name.length)
}

const isFieldProblem = (value: object): value is FieldProblem =>
  'type' in value && typeof value.type === 'string' && ('problem' in value || 'message' in value)
