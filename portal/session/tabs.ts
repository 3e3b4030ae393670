const name = 'portolan.session'
// Where a page is not secure, the browser knows of no other tab.
const { locks } = navigator as Partial<Navigator>
let close: (() => void) | undefined

/** From now on this tab shows a page of the session; a tab that is closed, or lost, shows it no longer. */
export function showSession(): void {
  if (close) return
  const { promise, resolve } = Promise.withResolvers<void>()
  close = resolve
  void locks?.request(name, { mode: 'shared' }, () => promise)
}

export function hideSession(): void {
  close?.()
  close = undefined
}

/** Whether another tab still shows a page of the session that has ended, with what was typed there: it may sign in again and go on. */
export async function isShownElsewhere(): Promise<boolean> {
  const { held = [] } = (await locks?.query()) ?? {}
  return close === undefined && held.some(lock => lock.name === name)
}
