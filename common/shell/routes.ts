import type { Permission } from '#common/kit/permissions.ts'

/** The portal's pages (spec 2), and what each needs. `null`: anybody, `session`: whoever is signed in. */
export const routes = {
  '/': null,
  '/auth/sign-in': null,
  '/auth/callback': null,
  '/auth/forgot': null,
  '/auth/reset': null,
  '/products': 'session',
} as const satisfies Record<string, null | 'session' | Permission>

export type RoutePath = keyof typeof routes

export const isRoute = (path: string): path is RoutePath => Object.hasOwn(routes, path)
