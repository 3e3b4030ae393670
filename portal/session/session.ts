import type { Reply } from '#common/kit/call.ts'
import { usersMe } from '#common/session/calls.ts'
import { may, type Permission } from '#common/kit/permissions.ts'
import { ask, askFor } from '#portal/kit/ask.ts'
import { onReset, openStore } from '#portal/kit/stores.ts'

export type SessionUser = Reply<typeof usersMe>
export type SessionUnit = SessionUser['businessUnits'][number]

type SessionState = { loggedIn: boolean; email: string; unitUuid: string | undefined; user: SessionUser | undefined }

/** Who is signed in, and for which of his units he works. Only the hints of spec 3 are written down: no token, no permission, no name. */
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

/** The unit that the user chose, else his first. */
export function unitOf({ user, unitUuid }: SessionState): SessionUnit | undefined {
  return user?.businessUnits.find(({ uuid }) => uuid === unitUuid) ?? user?.businessUnits[0]
}

/** Somebody is signed in; from now on calls speak for the unit that he works for. */
export function holdSession(user: SessionUser, unitUuid = useSession.getState().unitUuid): void {
  useSession.setState({ loggedIn: true, email: user.email, user, unitUuid })
  const unit = unitOf(useSession.getState())
  askFor(unit?.token)
  if (unit && unit.uuid !== unitUuid) useSession.setState({ unitUuid: unit.uuid })
}

/** Grows with each sign-out: what was asked before it tells of a session that is over. */
let era = 0
onReset(() => {
  era += 1
})

export const eraNow = (): number => era

/** spec 7: the token is validated on navigation. It is not waited for: a session that ended shows itself by its 401. */
export async function checkSession(): Promise<void> {
  const asked = era
  const user = await ask(usersMe, {})
  if (asked === era) holdSession(user)
}

export const useUser = (): SessionUser => {
  const user = useSession(({ user }) => user)
  if (!user) throw new Error('nobody is signed in here')
  return user
}

export const permissionsNow = (): readonly string[] => unitOf(useSession.getState())?.permissions ?? []

/** Whether the user may, in the unit that he works for. */
export const useMay = (wanted: Permission): boolean => useSession(state => may(unitOf(state)?.permissions ?? [], wanted))
