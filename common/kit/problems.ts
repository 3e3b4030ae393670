/** What a rule says of a value: at which field, by which rule, and the message to show there. */
export type Problem = {
  path: string
  rule: string
  key: string
  params?: Record<string, string | number>
}

/** The same problems, told of a part of something larger: `within('users[1]', …)`. */
export function within(path: string, problems: Problem[]): Problem[] {
  return problems.map(problem => ({ ...problem, path: problem.path ? `${path}.${problem.path}` : path }))
}
