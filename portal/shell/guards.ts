import { notFound, redirect } from '@tanstack/react-router'
import { home, safeRedirect } from '#common/session/redirect.ts'
import { isExternal, redirectOf } from '#common/shell/route-rules.ts'
import { isRoute, mayOpen, routes } from '#common/shell/routes.ts'
import { go } from '#portal/kit/go.ts'
import { useAppearance } from '#portal/kit/ui/appearance.ts'
import { goToExternalSignIn, hasExternalSignIn } from '#portal/session/external-sign-in.ts'
import { checkSession, permissionsNow } from '#portal/session/session.ts'
import { Forbidden } from './error-screen.tsx'
import { routeRulesNow } from './new-build.ts'
import { start, restart, hasStarted, needsTwoFactor } from './start.ts'

/** The navigation that a guard checks; a preload is one that the user has not made yet. */
export type NavigationTarget = { location: { pathname: string; searchStr: string; href: string }; preload: boolean }

/** Applies the server's redirects, also to external URLs (spec 2). Throws notFound if the page's own check fails. */
export async function checkRoute({ location: { pathname, searchStr } }: NavigationTarget): Promise<void> {
  const target = redirectOf(routeRulesNow(), pathname)
  if (target && isExternal(target)) {
    await go(target, { external: true })
    return new Promise(() => {})
  }
  if (target) throw redirect({ href: target, replace: true })
  if (isRoute(pathname) && routes[pathname].validate?.(new URLSearchParams(searchStr)) === false) throw notFound()
}

/** Loads settings and products before the first page behind the sign-in. Validates the token on each navigation. */
export async function checkSignedIn({ location, preload }: NavigationTarget): Promise<void> {
  const { pathname, href } = location
  if (!hasStarted() && !(await start(isRoute(pathname) ? pathname : home).catch(error => toTwoFactor(error, href)))) {
    if (hasExternalSignIn()) return goToExternalSignIn(href)
    throw redirect({ to: '/auth/sign-in', search: href === home ? {} : { redirect: href } })
  } else if (!preload) void checkSession().catch(() => undefined)
}

/** Redirects users without a second factor to its setup if their unit requires one. Throws any other error. */
function toTwoFactor(error: unknown, href: string): never {
  throw needsTwoFactor(error) ? redirect({ to: '/auth/two-factor', search: href === home ? {} : { redirect: href } }) : error
}

/** Throws Forbidden, shown as 403, if the user lacks the permission for a route (spec 6). */
export function checkPermission({ location: { pathname } }: NavigationTarget): void {
  if (isRoute(pathname) && !mayOpen(permissionsNow(), pathname)) throw new Forbidden()
}

/** Exchanges the one-time token for a session, and redirects to a URL without the token. */
export async function takeCallback({ location }: { location: { search: Record<string, unknown> } }): Promise<never> {
  const { token, redirect: target } = location.search
  const { exchangeToken } = await import('#portal/session/open.ts')
  const opened = await exchangeToken(typeof token === 'string' ? token : '').catch(() => undefined)
  restart(opened !== undefined)
  if (opened?.user.density) useAppearance.getState().prefer({ density: opened.user.density })
  if (!opened) throw redirect({ to: '/auth/sign-in', search: {}, replace: true })
  throw redirect({ href: safeRedirect(target, window.location.origin), replace: true })
}
