import { may, type Permission } from '#common/kit/permissions.ts'

/** The access to a page: public (`null`), signed-in users, or users with a permission. */
type RouteNeeds = null | 'session' | Permission

type Route = {
  needs: RouteNeeds
  /** spec 2: a route may check its query; if that fails, the page does not exist. */
  validate?: (query: URLSearchParams) => boolean
}

/** spec 2: the query step is 1 to 3, and 1 by default. */
const isStep = (query: URLSearchParams): boolean => /^[123]$/.test(query.get('step') ?? '1')

/** The portal's pages (spec 2). For /claim and /customer-service spec 2 names an undefined permission, which is read as b2b-access. */
const table = {
  '/': { needs: null },
  '/products': { needs: 'session' },
  '/funnel': { needs: 'b2b-access', validate: isStep },
  '/funnel/steps/step1': { needs: 'b2b-access' },
  '/funnel/steps/step2': { needs: 'b2b-access' },
  '/funnel/steps/step3': { needs: 'b2b-access' },
  '/policies': { needs: 'b2b-policies-sold-view' },
  '/policies/saved': { needs: 'b2b-policies-draft-view' },
  '/account': { needs: 'session' },
  '/claim': { needs: 'b2b-access' },
  '/customer-service': { needs: 'b2b-access' },
  // Not in the specification: visible with b2b-accounting-view only.
  '/earnings': { needs: 'b2b-accounting-view' },
  '/administration': { needs: 'b2b-admin' },
  '/credits': { needs: null },
  '/verify': { needs: null },
  '/my-policy': { needs: null },
  '/my-quote': { needs: null },
  '/my-data': { needs: null },
  '/auth/sign-in': { needs: null },
  '/auth/callback': { needs: null },
  '/auth/forgot': { needs: null },
  '/auth/reset': { needs: null },
  '/auth/invitation': { needs: null },
  '/auth/two-factor': { needs: null },
} satisfies Record<string, Route>

export type RoutePath = keyof typeof table

export const callbackPath = '/auth/callback' satisfies RoutePath

/** True if a page's URL signs a user in: the callback, or any other with a token (spec 4). */
export const hasSignInToken = (path: string, query: string): boolean => path === callbackPath || /(^|[?&])token=/.test(query)

export const routes: Record<RoutePath, Route> = table

export const isRoute = (path: string): path is RoutePath => Object.hasOwn(routes, path)

/** True if the page exists: its route is known and its check passes. */
export function isPage(path: string, query: URLSearchParams): boolean {
  return isRoute(path) && (routes[path].validate?.(query) ?? true)
}

export const isFunnel = (path: RoutePath): boolean => path.startsWith('/funnel')

export const mayOpen = (granted: readonly string[], path: RoutePath): boolean => {
  const { needs } = routes[path]
  return needs === null || needs === 'session' || may(granted, needs)
}

/** The pages for signed-in users, each with a `_payload.json`. */
export const insidePaths = (Object.keys(table) as RoutePath[]).filter(path => routes[path].needs !== null)

/** spec 2: a rule of the service can redirect any route, also to another site. */
export type RouteRules = Record<string, { redirect: string }>

/** Returns the target of a path's rule, unless it is the path itself. */
export function redirectOf(rules: RouteRules, path: string): string | undefined {
  const target = Object.hasOwn(rules, path) ? rules[path]?.redirect : undefined
  return target === path ? undefined : target
}

export const isExternal = (target: string): boolean => !target.startsWith('/')

export function isTarget(target: string): boolean {
  if (/[\s\\\u0000-\u001f]/.test(target)) return false
  if (target.startsWith('/')) return !target.startsWith('//')
  return /^https?:\/\/[^/]/i.test(target) && URL.parse(target) !== null
}
