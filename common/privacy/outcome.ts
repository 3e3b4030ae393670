import type { ResponseOf } from '#common/kit/call.ts'
import type { erasePerson } from './calls.ts'

/** The result of a request: what happens to a person's policies, quotes and tickets, and how many emails to them are erased. */
export type Outcome = Pick<ResponseOf<typeof erasePerson>, 'items' | 'mails'>

/** True if anything is erased or blocked now. */
export const takesAway = ({ items, mails }: Outcome): boolean =>
  mails > 0 || items.some(({ outcome, blocked }) => outcome === 'erased' || (outcome === 'blocked' && !blocked))
