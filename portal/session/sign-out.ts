import { endSession } from '#common/session/calls.ts'
import { ask, askFor } from '#portal/kit/ask.ts'
import { logOnly } from '#portal/kit/log.ts'
import { clearNotices } from '#portal/kit/overlay/notices.ts'
import { resetStores } from '#portal/kit/stores.ts'
import { hideSession } from './tabs.ts'

const patienceMs = 5000

/** spec 4 and 8: the session ends at the service and its cookie is cleared; what goes wrong with that is only logged. */
export const endAtService = (): Promise<unknown> =>
  // Whoever leaves does not wait for a service that gives no answer.
  ask(endSession, {}, { leaving: true, signal: AbortSignal.timeout(patienceMs) }).catch(logOnly('sign-out'))

/** All stores are reset: nothing of the session stays in this browser, whoever ended it. Not while a page of it is still shown. */
export function forgetSession(): void {
  askFor(undefined)
  hideSession()
  resetStores()
  clearNotices()
}
