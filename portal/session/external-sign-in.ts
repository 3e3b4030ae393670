/** Whether somebody else signs in here: the service says so in the page itself. */
export const signsInElsewhere = (): boolean => document.querySelector('meta[name=portolan-sign-in]') !== null

/** Away to sign in, by a full page load; what is wanted is shown afterwards. Nothing more is shown meanwhile. */
export function leaveFor(wanted: string): Promise<never> {
  window.location.assign(`/api/auth/start?${new URLSearchParams({ redirect: wanted }).toString()}`)
  return new Promise(() => {})
}
