import type { ResponseOf } from '#common/kit/call.ts'
import { usersMe } from '#common/session/calls.ts'
import { may, type Permission } from '#common/kit/permissions.ts'
import { ask, sendUnitToken } from '#portal/kit/ask.ts'
import { onReset, openStore } from '#portal/kit/stores.ts'

export type SessionUser = ResponseOf<typeof usersMe>
export type SessionUnit = SessionUser['businessUnits'][number]

type SessionState = { loggedIn: boolean; email: string; unitUuid: string | undefined; user: SessionUser | undefined }

/** The signed-in user and their current unit. The browser stores only the hints of spec 3: no token, permission or name. */
export const useSession = openStore<SessionState>(
  'session',
  { loggedIn: false, email: '', unitUuid: undefined, user: undefined },
  {
    plain: true,
    keep: state => ({
      loggedIn: state.loggedIn,
      email: state.email,
      ...(state.unitUuid ? { unitUuid: state.unitUuid } : {}),
    }),
  },
)

/** Returns the unit that the user has chosen, else their first. */
export function currentUnitOf({ user, unitUuid }: SessionState): SessionUnit | undefined {
  return user?.businessUnits.find(({ uuid }) => uuid === unitUuid) ?? user?.businessUnits[0]
}

/** Stores the signed-in user. From now on calls carry the token of the current unit. */
export function setSession(user: SessionUser, unitUuid = useSession.getState().unitUuid): void {
  useSession.setState({ loggedIn: true, email: user.email, user, unitUuid })
  const unit = currentUnitOf(useSession.getState())
  sendUnitToken(unit?.token)
  if (unit && unit.uuid !== unitUuid) useSession.setState({ unitUuid: unit.uuid })
}

/** Counts the resets of the stores, so that responses to earlier requests are ignored. */
let resets = 0
onReset(() => {
  resets += 1
})

/** Returns the number of resets so far, to recognise responses to earlier requests. */
export const resetCount = (): number => resets

/** Validates the token on each navigation (spec 7). Navigations do not wait for it, as a 401 reveals an ended session. */
export async function checkSession(): Promise<void> {
  const before = resets
  const user = await ask(usersMe, {})
  if (before === resets) setSession(user)
}

export const useUser = (): SessionUser => {
  const user = useSession(({ user }) => user)
  if (!user) throw new Error('no user is signed in')
  return user
}

export const permissionsNow = (): readonly string[] => currentUnitOf(useSession.getState())?.permissions ?? []

/** True if the user has this permission in the current unit. */
export const useMay = (permission: Permission): boolean => useSession(state => may(currentUnitOf(state)?.permissions ?? [], permission))

/** True if users sign in outside the portal, as the page's HTML says. */
export const hasExternalSignIn = (): boolean => document.querySelector('meta[name=portolan-sign-in]') !== null

/** Leaves the portal for the external sign-in, which returns to the given path. The promise never settles. */
export function goToExternalSignIn(path: string): Promise<never> {
  window.location.assign(`/api/auth/start?${new URLSearchParams({ redirect: path }).toString()}`)
  return new Promise(() => {})
}
