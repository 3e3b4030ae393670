import type { Problem } from '#common/kit/problems.ts'
import { refusals } from '#common/kit/refusals.ts'

/**
 * Returns why an action was refused, with its message: the refusal's, if that needs no parameters, which an entry lacks. An administrator's own
 * reason is not a code, and is shown unchanged.
 */
export function reasonProblem({ action, reason }: { action: string; reason: string | null }): Problem | undefined {
  const [code = ''] = reason?.split(' ') ?? []
  const problem = (key: string): Problem => ({ path: '', rule: code, key })
  const key = own.get(code)
  if (key !== undefined) return problem(key)
  // An external sign-in fails with the name of its error.
  if (action === 'session.oidc' && code !== '') return problem('administration.reason_external')
  return Object.hasOwn(refusals, code) ? problem(`refusal.${code}`) : undefined
}

/** Reasons that need other messages: those with parameters, and a forgotten password for an address without a user. */
const own = new Map([
  ['request.too_many', 'administration.reason_too_many'],
  ['unknown', 'administration.reason_unknown'],
])
