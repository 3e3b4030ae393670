import type { Reply } from '#common/kit/call.ts'
import { endSession, openSession } from '#common/session/calls.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { logOnly } from '#portal/kit/log.ts'
import { isToEnd, leavingMark, showLeaving } from './sign-out.ts'

const year = 31_536_000
const { locks } = navigator as Partial<Navigator>

/** Runs in one tab at a time: a session that is opened is not ended by a tab that leaves the one before. */
const alone = <Result>(work: () => Promise<Result>, options: LockOptions = {}): Promise<Result> =>
  locks ? (locks.request('portolan.cookie', options, work) as Promise<Result>) : work()

/** The callback's token for a session. One that was to end has ended before: the mark never reaches the new one. */
export const openWith = (token: string): Promise<Reply<typeof openSession>> =>
  alone(async () => {
    await end(patient())
    const opened = await ask(openSession, { token })
    markEnd(false)
    return opened
  })

/** spec 4 and 8: the page goes at once, and not-left.tsx ends the session. The mark outlives a lost call, a closed tab and a restart of the browser. */
export function signOut(): void {
  markEnd(true)
  showLeaving()
}

/** True once the session that was to end has ended, in whichever tab. What goes wrong is logged, and can be repeated. */
export const endMarked = (signal = patient()): Promise<boolean> =>
  alone(() => end(signal), { signal }).then(
    () => true,
    error => {
      logOnly('sign-out')(error)
      return false
    },
  )

/** Leaving waits this long for the service and for another tab, and no longer. */
const patient = () => AbortSignal.timeout(5000)

async function end(signal: AbortSignal): Promise<void> {
  if (!isToEnd()) return
  await ask(endSession, {}, { leaving: true, signal }).catch(error => {
    // A session that the service knows no more has ended.
    if (!(error instanceof Refused && error.failure.code === 401)) throw error
  })
  markEnd(false)
}

/** No other host sets or keeps one that is called `__Host-`, and it is taken over https alone. */
function markEnd(wanted: boolean): void {
  const secure = leavingMark.startsWith('__Host-') ? '; Secure' : ''
  document.cookie = `${leavingMark}=1; Max-Age=${wanted ? year : 0}; Path=/; SameSite=Lax${secure}`
}
