import { create } from 'zustand'
import { leavingCookies } from '#common/session/leaving.ts'
import { sendUnitToken } from '#portal/kit/ask.ts'
import { clearNotices } from '#portal/kit/overlay/notices.ts'
import { resetStores, suspendStores } from '#portal/kit/stores.ts'

export const leavingMark = leavingCookies[window.location.protocol === 'https:' ? 0 : 1]

/**
 * The state of signing out, which began before the page was opened, or later. Until the service has confirmed it, signing-out.tsx replaces every page
 * and no other call is sent.
 */
export const useSigningOut = create<{ since: 'before' | 'later' | undefined }>()(() => ({ since: isMarkedToEnd() ? 'before' : undefined }))

/** True if the session is marked to end. */
export function isMarkedToEnd(): boolean {
  return document.cookie.split('; ').includes(`${leavingMark}=1`)
}

/** Shows the sign-out in place of every page if the session is marked to end, in this tab or another. Returns true if so. */
export function showSigningOut(): boolean {
  const isMarked = isMarkedToEnd()
  if (isMarked) useSigningOut.setState(({ since = 'later' }) => ({ since }))
  return isMarked
}

/** Removes all data of the session from this browser. Must not be called while a page of the session is shown. */
export function forgetSession(): void {
  dropSession()
  resetStores()
}

/** Closes a session that ended by itself. The user's input is kept, encrypted, until the same user signs in again. */
export function suspendSession(): void {
  dropSession()
  suspendStores()
}

function dropSession(): void {
  sendUnitToken(undefined)
  unmarkTab()
  clearNotices()
}

const lockName = 'portolan.session'
// Safe: on pages without https, browsers have no locks. The portal then does not know about other tabs.
const { locks } = navigator as Partial<Navigator>
let closeTab: (() => void) | undefined

/** Marks this tab as showing a page of the session, until it is closed or crashes. */
export function markTab(): void {
  if (closeTab) return
  const { promise, resolve } = Promise.withResolvers<void>()
  closeTab = resolve
  void locks?.request(lockName, { mode: 'shared' }, () => promise)
}

function unmarkTab(): void {
  closeTab?.()
  closeTab = undefined
}

/** True if another tab still shows a page of the ended session. The user may sign in again there and continue. */
export async function isShownInOtherTab(): Promise<boolean> {
  const { held: heldLocks = [] } = (await locks?.query()) ?? {}
  return closeTab === undefined && heldLocks.some(lock => lock.name === lockName)
}
