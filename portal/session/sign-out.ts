import { create } from 'zustand'
import { leavingCookies } from '#common/session/leaving.ts'
import { sendUnitToken } from '#portal/kit/ask.ts'
import { clearNotices } from '#portal/kit/overlay/notices.ts'
import { resetStores, shutStores } from '#portal/kit/stores.ts'

export const leavingMark = leavingCookies[window.location.protocol === 'https:' ? 0 : 1]

/** Somebody wants to leave, since before the page was opened or later, and the service has not confirmed it: nothing else is shown or asked (not-left.tsx). */
export const useLeaving = create<{ since: 'before' | 'later' | undefined }>()(() => ({ since: isToEnd() ? 'before' : undefined }))

export function isToEnd(): boolean {
  return document.cookie.split('; ').includes(`${leavingMark}=1`)
}

/** Shows that one is leaving as long as that is not done, in place of every page. Also when another tab began it. */
export function showLeaving(): boolean {
  const leaving = isToEnd()
  if (leaving) useLeaving.setState(({ since = 'later' }) => ({ since }))
  return leaving
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
  sendUnitToken(undefined)
  hideSession()
  clearNotices()
}

const lockName = 'portolan.session'
// Without https the browser has no locks, and knows of no other tab.
const { locks } = navigator as Partial<Navigator>
let closeTab: (() => void) | undefined

/** Marks this tab as showing a page of the session, until it is closed or crashes. */
export function showSession(): void {
  if (closeTab) return
  const { promise, resolve } = Promise.withResolvers<void>()
  closeTab = resolve
  void locks?.request(lockName, { mode: 'shared' }, () => promise)
}

function hideSession(): void {
  closeTab?.()
  closeTab = undefined
}

/** True if another tab still shows a page of the session that has ended: the user may sign in again there and go on. */
export async function isShownElsewhere(): Promise<boolean> {
  const { held = [] } = (await locks?.query()) ?? {}
  return closeTab === undefined && held.some(lock => lock.name === lockName)
}
