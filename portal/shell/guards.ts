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
import { begin, beginAgain, hasBegun, needsTwoFactor } from './start.ts'

type Place = { pathname: string; searchStr: string; href: string }
export type Going = { location: Place; preload: boolean }

/** spec 2: a rule of the server may lead any route elsewhere, also out of the portal; a page whose own check fails does not exist. */
export async function checkRoute({ location: { pathname, searchStr } }: Going): Promise<void> {
  const target = redirectOf(routeRulesNow(), pathname)
  if (target && isExternal(target)) {
    await go(target, { external: true })
    return new Promise(() => {})
  }
  if (target) throw redirect({ href: target, replace: true })
  if (isRoute(pathname) && routes[pathname].validate?.(new URLSearchParams(searchStr)) === false) throw notFound()
}

/** What only the signed-in see: settings and products are there first, the token is checked at every navigation. */
export async function checkSignedIn({ location, preload }: Going): Promise<void> {
  const { pathname, href } = location
  if (!hasBegun() && !(await begin(isRoute(pathname) ? pathname : home).catch(error => toTwoFactor(error, href)))) {
    if (hasExternalSignIn()) return goToExternalSignIn(href)
    throw redirect({ to: '/auth/sign-in', search: href === home ? {} : { redirect: href } })
  } else if (!preload) void checkSession().catch(() => undefined)
}

/** A unit that asks for a code lets nobody in who has none: he sets it up first, and goes on from there. */
function toTwoFactor(error: unknown, href: string): never {
  throw needsTwoFactor(error) ? redirect({ to: '/auth/two-factor', search: href === home ? {} : { redirect: href } }) : error
}

/** spec 6: without the permission for a route, 403. */
export function checkPermission({ location: { pathname } }: Going): void {
  if (isRoute(pathname) && !mayOpen(permissionsNow(), pathname)) throw new Forbidden()
}

/** Exchanges the one-time token for a session, and leaves an address behind that holds none. */
export async function takeCallback({ location }: { location: { search: Record<string, unknown> } }): Promise<never> {
  const { token, redirect: wanted } = location.search
  const { openWith } = await import('#portal/session/open.ts')
  const opened = await openWith(typeof token === 'string' ? token : '').catch(() => undefined)
  beginAgain(opened !== undefined)
  if (opened?.user.density) useAppearance.getState().prefer({ density: opened.user.density })
  if (!opened) throw redirect({ to: '/auth/sign-in', search: {}, replace: true })
  throw redirect({ href: safeRedirect(wanted, window.location.origin), replace: true })
}
