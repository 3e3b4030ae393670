import * as z from 'zod/mini'

/** spec 2: a server rule may redirect any route, also to another site. */
export const routeRules = z.record(
  z.string().check(z.regex(/^\/(?!\/)[^?#\s\\]*$/, 'must be a path such as /old')),
  z.strictObject({ redirect: z.string().check(z.refine(isTarget, 'must be a path, or an address that begins with https:// or http://')) }),
)

export type RouteRules = z.output<typeof routeRules>

export const latestBuild = z.object({ id: z.string(), timestamp: z.number() })

/** Returns the target of a path's rule, unless it is the path itself. */
export function redirectOf(rules: RouteRules, path: string): string | undefined {
  const target = Object.hasOwn(rules, path) ? rules[path]?.redirect : undefined
  return target === path ? undefined : target
}

export const isExternal = (target: string): boolean => !target.startsWith('/')

function isTarget(target: string): boolean {
  if (/[\s\\\u0000-\u001f]/.test(target)) return false
  if (target.startsWith('/')) return !target.startsWith('//')
  return /^https?:\/\/[^/]/i.test(target) && URL.parse(target) !== null
}
