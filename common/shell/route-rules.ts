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
