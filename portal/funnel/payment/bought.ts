import type { Reply } from '#common/kit/call.ts'
import type { purchasePolicy, registerPolicy } from '#common/policies/calls.ts'

export type Registered = Omit<Reply<typeof registerPolicy>, 'clientSecret' | 'publishableKey'>
export type Done = Reply<typeof purchasePolicy>

/**
 * A sale on its way (spec 3, quote state). The keys under which it was asked for are kept before it is asked, so that asking again, after a
 * reload or a lost reply, is the same sale. Neither card nor client secret is in it.
 */
export type Bought = {
  gatewayUuid: string
  registerKey: string
  purchaseKey: string
  /** As the client was told it, in the words of that moment: what is asked again is the same. */
  shown: { demandsAndNeeds: string; files: string[] }
  registered?: Registered
  done?: Done
}
