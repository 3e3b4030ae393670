/** True if users sign in outside the portal, as the page's HTML says. */
export const hasExternalSignIn = (): boolean => document.querySelector('meta[name=portolan-sign-in]') !== null

/** Leaves the portal for the external sign-in, which returns to the given path. The promise never settles. */
export function goToExternalSignIn(path: string): Promise<never> {
  window.location.assign(`/api/auth/start?${new URLSearchParams({ redirect: path }).toString()}`)
  return new Promise(() => {})
}
