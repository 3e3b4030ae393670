import { useNavigate } from '@tanstack/react-router'
import { queries } from '#portal/kit/queries.ts'
import { signOut } from '#portal/session/open.ts'
import { forgetSession, showLeaving } from '#portal/session/sign-out.ts'
import { beginAgain } from './start.ts'

/** To the sign-in; then, when no page of the session is shown any more, all of it is forgotten. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await navigate({ to: '/auth/sign-in', search: {}, ignoreBlocker: true })
    beginAgain(false)
    forgetSession()
  }
}

/** spec 4. What is still being asked for whoever leaves is given up: its answer would be that nobody is signed in. */
export function useSignOut(): () => Promise<void> {
  const leave = useLeave()
  return async () => {
    await queries.cancelQueries()
    if (await signOut()) await leave()
    else showLeaving()
  }
}
