import { useNavigate } from '@tanstack/react-router'
import { forgetSession } from '#portal/session/sign-out.ts'
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
