import type { ResponseOf } from '#common/kit/call.ts'
import { endSession, openSession } from '#common/session/calls.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { logOnly } from '#portal/kit/log.ts'
import { isMarkedToEnd, leavingMark, showSigningOut } from './sign-out.ts'

const year = 31_536_000
// Safe: on pages without https, browsers have no locks.
const { locks } = navigator as Partial<Navigator>

/** Runs the work in one tab at a time, as a tab that ends the previous session must not end a new one. */
const inOneTab = <Result>(work: () => Promise<Result>, options: LockOptions = {}): Promise<Result> =>
  // Safe: the lock resolves with the result of the work.
  locks ? (locks.request('portolan.cookie', options, work) as Promise<Result>) : work()

/** Exchanges the callback's token for a session. First it ends a session that is marked to end, and removes the mark. */
export const exchangeToken = (token: string): Promise<ResponseOf<typeof openSession>> =>
  inOneTab(async () => {
    await endIfMarked(endTimeout())
    const opened = await ask(openSession, { token })
    markEnd(false)
    return opened
  })

/**
 * Signs out (spec 4, 8): hides the page at once, and signing-out.tsx ends the session. The mark survives a failed call, a closed tab and a restart of
 * the browser.
 */
export function signOut(): void {
  markEnd(true)
  showSigningOut()
}

/** Ends the session that is marked to end. If that fails, logs why and returns false, so that it can be retried. */
export const endMarkedSession = (signal = endTimeout()): Promise<boolean> =>
  inOneTab(() => endIfMarked(signal), { signal }).then(
    () => true,
    error => {
      logOnly('sign-out')(error)
      return false
    },
  )

/** Limits how long signing out waits for the service and for another tab. */
const endTimeout = () => AbortSignal.timeout(5000)

async function endIfMarked(signal: AbortSignal): Promise<void> {
  if (!isMarkedToEnd()) return
  await ask(endSession, {}, { leaving: true, signal }).catch(error => {
    // A 401 means that the session has already ended.
    if (!(error instanceof Refused && error.failure.code === 401)) throw error
  })
  markEnd(false)
}

/** Sets or removes the mark that the session is to end. With the `__Host-` prefix, no other host can set that cookie. */
function markEnd(isToEnd: boolean): void {
  const secure = leavingMark.startsWith('__Host-') ? '; Secure' : ''
  document.cookie = `${leavingMark}=1; Max-Age=${isToEnd ? year : 0}; Path=/; SameSite=Lax${secure}`
}
