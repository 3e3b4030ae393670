import { create } from 'zustand'
import { endSession, openSession } from '#common/session/calls.ts'
import { leavingCookies } from '#common/session/leaving.ts'
import type { Reply } from '#common/kit/call.ts'
import { ask, askFor, Refused, Unreachable } from '#portal/kit/ask.ts'
import { logOnly } from '#portal/kit/log.ts'
import { clearNotices } from '#portal/kit/overlay/notices.ts'
import { resetStores, shutStores } from '#portal/kit/stores.ts'
import { hideSession } from './tabs.ts'

const patienceMs = 5000
const year = 31_536_000
const isHttps = window.location.protocol === 'https:'
const mark = leavingCookies[isHttps ? 0 : 1]
const { locks } = navigator as Partial<Navigator>

/** Somebody wants to leave, and the service has not confirmed it: nothing else is shown or asked meanwhile (not-left.tsx). */
export const useLeaving = create<{ leaving: boolean }>()(() => ({ leaving: isToEnd() }))

function isToEnd(): boolean {
  return document.cookie.split('; ').some(each => each.startsWith(`${mark}=`))
}

function markEnd(wanted: boolean): void {
  document.cookie = `${mark}=${wanted ? '1' : ''}; Max-Age=${wanted ? year : 0}; Path=/; SameSite=Lax${isHttps ? '; Secure' : ''}`
}

/** Of all tabs one at a time: a session that is opened is not ended by whoever left the one before. */
const alone = <Result>(work: () => Promise<Result>): Promise<Result> =>
  locks ? (locks.request('portolan.cookie', work) as Promise<Result>) : work()

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

/** The callback's token for a session. One that was to end has ended before: the mark never reaches the new one. */
export const openWith = (token: string): Promise<Reply<typeof openSession>> =>
  alone(async () => {
    if (!(await end())) throw new Unreachable()
    const opened = await ask(openSession, { token })
    markEnd(false)
    return opened
  })

/** Shows that one is leaving as long as that is not done, in place of every page. Also when another tab began it. */
export function showLeaving(): boolean {
  if (isToEnd()) useLeaving.setState({ leaving: true })
  return isToEnd()
}

/** All stores are reset: nothing of the session stays in this browser, whoever ended it. Not while a page of it is still shown. */
export function forgetSession(): void {
  letGo()
  resetStores()
}

/** The session ended by itself: what was typed stays, sealed, for the same user. */
export function shutSession(): void {
  letGo()
  shutStores()
}

function letGo(): void {
  askFor(undefined)
  hideSession()
  clearNotices()
}
