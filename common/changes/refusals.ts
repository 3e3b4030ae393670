import type { Problem } from '#common/kit/problems.ts'
import type { RefusalCode } from '#common/kit/refusals.ts'

/** A refusal of a movement: the call's refusal code, the field, and the message's key and parameters. */
export type Refused = Problem & { code: string }

/** The refusal codes of movements. A rule of docs/rating.md has its own code. */
type MovementRefusal = Extract<RefusalCode, `${'change' | 'cancel' | 'withdraw' | 'reinstate' | 'renew'}.${string}`>

export const refused = (code: MovementRefusal, path = '', params?: Record<string, string | number>): Refused => ({
  code,
  path,
  rule: code,
  key: `refusal.${code}`,
  ...(params ? { params } : {}),
})

/** A problem of rating keeps its code from the sale; a form's problem is one of validation. */
export const refusedBy = (problem: Problem): Refused => ({
  ...problem,
  code: /^(?:quote|coverage)\./.test(problem.rule) ? problem.rule : 'validation.failed',
})
