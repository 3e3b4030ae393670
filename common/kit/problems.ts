/** A broken rule: the field, the rule, and the message to show there. */
export type Problem = {
  path: string
  rule: string
  key: string
  params?: Record<string, string | number>
}

/** Returns the problems with a path prefix: `within('users[1]', …)`. */
export function within(path: string, problems: Problem[]): Problem[] {
  return problems.map(problem => ({ ...problem, path: problem.path ? `${path}.${problem.path}` : path }))
}
