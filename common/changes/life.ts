import type { Life } from '#common/kit/states.ts'

export type OpenChangeState = 'offered' | 'awaiting_payment' | 'done' | 'declined' | 'expired' | 'taken_back'

/** The life of a change that waits for its client or its payment. */
export const openChangeLife: Life<OpenChangeState> = {
  offered: ['awaiting_payment', 'declined', 'expired', 'taken_back'],
  awaiting_payment: ['done', 'declined', 'expired', 'taken_back'],
  done: [],
  declined: [],
  expired: [],
  taken_back: [],
}
