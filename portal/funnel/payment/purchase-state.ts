import type { QuestionSent, Reply } from '#common/kit/call.ts'
import type { purchasePolicy, registerPolicy } from '#common/policies/calls.ts'

export type Registered = Omit<Reply<typeof registerPolicy>, 'clientSecret' | 'publishableKey'>
export type Done = Reply<typeof purchasePolicy>

/**
 * A sale on its way (spec 3, quote state). What is asked, and the keys under which, are kept before it is asked, so that asking again is the same
 * sale: after a reload or a lost reply, in another language, whatever another tab types. Neither card nor client secret is in it.
 */
export type Bought = {
  asked: QuestionSent<typeof registerPolicy>
  registerKey: string
  purchaseKey: string
  registered?: Registered
  done?: Done
}
