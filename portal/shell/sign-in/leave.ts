import { useNavigate } from '@tanstack/react-router'
import { forgetSession } from '#portal/session/sign-out.ts'
import { restart } from '../start.ts'

/** Returns a function that leads to the sign-in, and then removes all data of the session. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await navigate({ to: '/auth/sign-in', search: {}, ignoreBlocker: true })
    restart(false)
    forgetSession()
  }
}
