import { useNavigate } from '@tanstack/react-router'
import { forgetSession } from '#portal/session/sign-out.ts'
import { restart } from '../start.ts'

type ToSignIn = { to: '/auth/sign-in'; search: Record<string, never>; ignoreBlocker: true }

/** Returns a function that leads to the sign-in, and then removes all data of the session. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return () => leave(navigate)
}

/** Leads to the sign-in, also from unsaved entries. The data goes after the page that shows it. */
export async function leave(navigate: (target: ToSignIn) => Promise<void>): Promise<void> {
  await navigate({ to: '/auth/sign-in', search: {}, ignoreBlocker: true })
  restart(false)
  forgetSession()
}
