import { redirect } from '@tanstack/react-router'
import { safeRedirect } from '#common/session/redirect.ts'
import { callbackPath } from '#common/shell/routes.ts'
import { useAppearance } from '#portal/kit/ui/appearance.ts'
import { exchangeToken } from '#portal/session/open.ts'
import { restart } from '../start.ts'

/**
 * Exchanges the one-time token in a page's URL for a session, and removes the query (spec 4). The callback redirects to the page in its query. A
 * refused token redirects to the sign-in.
 */
export async function takeToken(path: string, search: string): Promise<never> {
  const query = new URLSearchParams(search)
  const opened = await exchangeToken(query.get('token') ?? '').catch(() => undefined)
  restart(opened !== undefined)
  if (!opened) throw redirect({ to: '/auth/sign-in', search: {}, replace: true })
  if (opened.user.density) useAppearance.getState().prefer({ density: opened.user.density })
  const target = path === callbackPath ? query.get('redirect') : path
  throw redirect({ href: safeRedirect(target, window.location.origin), replace: true })
}
