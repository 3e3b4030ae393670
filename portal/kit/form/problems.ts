import { type FieldError, type FieldErrors, type FieldValues, type Resolver, set } from 'react-hook-form'
import type { Problem } from '#common/kit/problems.ts'

/** What is wrong with a field: a rule's problem, put into words when it is shown, or what the service said, in words already. */
export type Fault = FieldError & { problem?: Problem | undefined }

/** The rules of common as react-hook-form asks for them. They are judged as a whole: one field's fault may hang on another's value. */
export const resolverOf =
  <Values extends FieldValues>(rules: (values: Values) => Problem[]): Resolver<Values> =>
  values => {
    const errors = faultsOf<Values>(rules(values))
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }

/** The first problem of each path, where the form looks for it. What concerns a list whose rows have faults too stands at its root. */
export function faultsOf<Values extends FieldValues>(problems: readonly Problem[]): FieldErrors<Values> {
  const first = new Map<string, Problem>()
  for (const problem of problems) if (!first.has(problem.path)) first.set(problem.path, problem)
  const parents = new Set<string>()
  for (const path of first.keys()) addParents(path, parents)
  const faults = {}
  for (const [path, problem] of first) {
    const place = path === '' || parents.has(path) ? `${formName(path)}.root`.replace(/^\./, '') : formName(path)
    set(faults, place, { type: problem.rule, problem } satisfies Fault)
  }
  return faults
}

/** `users` and `users[1]` of `users[1].name`; whose parent is known, has had it told of its own. */
function addParents(path: string, parents: Set<string>): void {
  for (let end = breakBefore(path, path.length); end > 0; end = breakBefore(path, end)) {
    const parent = path.slice(0, end)
    if (parents.has(parent)) return
    parents.add(parent)
  }
}

const breakBefore = (path: string, end: number): number => Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1))

/** `users[1].name`, as rules and the service write it, is `users.1.name` in a form. */
export const formName = (path: string): string => path.replaceAll(/\[(\d+)\]/g, '.$1')

/** Every fault of a form with the name of its field, in the order of the form. */
export function faultList(errors: unknown, path = ''): { name: string; fault: Fault }[] {
  if (typeof errors !== 'object' || errors === null) return []
  if (isFault(errors)) return [{ name: path.replace(/\.root$/, ''), fault: errors }]
  return Object.entries(errors).flatMap(([key, value]) => (key === 'ref' ? [] : faultList(value, path ? `${path}.${key}` : key)))
}

const isFault = (value: object): value is Fault =>
  'type' in value && typeof value.type === 'string' && ('problem' in value || 'message' in value)
