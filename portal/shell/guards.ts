import { notFound, redirect } from '@tanstack/react-router'
import { home } from '#common/session/redirect.ts'
import { hasSignInToken, isExternal, isRoute, mayOpen, redirectOf, routes } from '#common/shell/routes.ts'
import { go } from '#portal/kit/go.ts'
import { keepReplies } from '#portal/kit/ask.ts'
import { checkSession, goToExternalSignIn, hasExternalSignIn, permissionsNow } from '#portal/session/session.ts'
import { Forbidden } from './error-screen.tsx'
import { routeRulesNow } from './build/new-build.ts'
import { needsTwoFactor } from './sign-in/needed.ts'
import { start, hasStarted } from './start.ts'

/** The navigation that a guard checks. `preload` means that the user has not navigated yet. */
type Place = { pathname: string; searchStr: string; href: string }
export type NavigationTarget = { location: Place & { maskedLocation?: { href: string } | undefined }; preload: boolean }

/**
 * Uses a sign-in token in the URL (spec 4). Applies the server's redirects, also to external URLs (spec 2). Throws notFound if the page's own check
 * fails.
 */
export async function checkRoute({ location: { pathname, searchStr }, preload }: NavigationTarget): Promise<void> {
  // The token works once, so a preload does not use it.
  if (!preload && hasSignInToken(pathname, searchStr)) return (await import('./sign-in/take-token.ts')).takeToken(pathname, searchStr)
  const target = redirectOf(routeRulesNow(), pathname)
  if (target && isExternal(target)) {
    await go(target, { external: true })
    return new Promise(() => {})
  }
  if (target) throw redirect({ href: target, replace: true })
  if (isRoute(pathname) && routes[pathname].validate?.(new URLSearchParams(searchStr)) === false) throw notFound()
}

/** Loads settings and products before the first page behind the sign-in. Validates the token on each further navigation. */
export async function checkSignedIn({ location, preload }: NavigationTarget): Promise<void> {
  const { pathname, searchStr } = location
  // A list's search text stays out of URLs.
  const { href } = location.maskedLocation ?? location
  if (hasStarted()) {
    if (preload) return
    // They were sent with the first page only.
    keepReplies({})
    void checkSession().catch(() => undefined)
  } else if (!(await start(isRoute(pathname) ? pathname : home, searchStr).catch(error => toTwoFactor(error, href)))) {
    if (hasExternalSignIn()) return goToExternalSignIn(href)
    throw redirect({ to: '/auth/sign-in', search: href === home ? {} : { redirect: href } })
  }
}

/** Redirects users without a second factor to its setup if their unit requires one. Throws any other error. */
function toTwoFactor(error: unknown, href: string): never {
  throw needsTwoFactor(error) ? redirect({ to: '/auth/two-factor', search: href === home ? {} : { redirect: href } }) : error
}

/** Throws Forbidden, shown as 403, if the user lacks the permission for a route (spec 6). */
export function checkPermission({ location: { pathname } }: NavigationTarget): void {
  if (isRoute(pathname) && !mayOpen(permissionsNow(), pathname)) throw new Forbidden()
}
