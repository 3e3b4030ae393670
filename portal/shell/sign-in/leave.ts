import { useNavigate } from '@tanstack/react-router'
import { forgetSession } from '#portal/session/sign-out.ts'
import { restart } from '../start.ts'

type ToSignIn = { to: '/auth/sign-in'; search: Record<string, never>; ignoreBlocker: true }

/** Returns a function that opens the sign-in, and then removes all data of the session. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return () => leave(navigate)
}

/** Opens the sign-in, even from unsaved input. The data is removed after the page that shows it. */
export async function leave(navigate: (target: ToSignIn) => Promise<void>): Promise<void> {
  await navigate({ to: '/auth/sign-in', search: {}, ignoreBlocker: true })
  restart(false)
  forgetSession()
}
