import type { Reply } from '#common/kit/call.ts'
import { endSession, openSession } from '#common/session/calls.ts'
import { ask, Refused, Unreachable } from '#portal/kit/ask.ts'
import { logOnly } from '#portal/kit/log.ts'
import { isToEnd, leavingMark } from './sign-out.ts'

const patienceMs = 5000
const year = 31_536_000
const { locks } = navigator as Partial<Navigator>

/** Of all tabs one at a time: a session that is opened is not ended by whoever left the one before. */
const alone = <Result>(work: () => Promise<Result>): Promise<Result> =>
  locks ? (locks.request('portolan.cookie', work) as Promise<Result>) : work()

/** The callback's token for a session. One that was to end has ended before: the mark never reaches the new one. */
export const openWith = (token: string): Promise<Reply<typeof openSession>> =>
  alone(async () => {
    if (!(await end())) throw new Unreachable()
    const opened = await ask(openSession, { token })
    markEnd(false)
    return opened
  })

/** spec 4 and 8: the session ends at the service, which clears its cookie. The mark outlives a lost call, a closed tab and a restart of the browser. */
export function signOut(): Promise<boolean> {
  markEnd(true)
  return endMarked()
}

/** True once the session that was to end has ended, in whichever tab. What goes wrong is logged, and can be repeated. */
export const endMarked = (): Promise<boolean> => alone(end)

async function end(): Promise<boolean> {
  if (!isToEnd()) return true
  try {
    // Whoever leaves does not wait for a service that gives no answer.
    await ask(endSession, {}, { leaving: true, signal: AbortSignal.timeout(patienceMs) })
  } catch (error) {
    // A session that the service knows no more has ended.
    if (!(error instanceof Refused && error.failure.code === 401)) {
      logOnly('sign-out')(error)
      return false
    }
  }
  markEnd(false)
  return true
}

/** No other host sets or keeps one that is called `__Host-`, and it is taken over https alone. */
function markEnd(wanted: boolean): void {
  const secure = leavingMark.startsWith('__Host-') ? '; Secure' : ''
  document.cookie = `${leavingMark}=1; Max-Age=${wanted ? year : 0}; Path=/; SameSite=Lax${secure}`
}
