import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lock, packagesOf, shippedPackages } from './packages.ts'

/**
 * licences.json. `shipped`: licences that only require their text in the archive. `tools`: additional ones, for packages that stay with the
 * developers. `exceptions`: a package by `name@version`, with the reason why it may be used.
 */
export type Allowed = { shipped: string[]; tools: string[]; exceptions: Record<string, string> }

// Safe: the file is our own.
export const readAllowed = (): Allowed => JSON.parse(readFileSync(join(import.meta.dirname, 'licences.json'), 'utf8')) as Allowed

/** Returns a line for each package with an unlisted licence, and for each unused exception. */
export function licenceFaults(lock: Lock, { shipped, tools, exceptions }: Allowed): string[] {
  const inHands = new Set(shippedPackages(lock).map(({ place }) => place))
  const needed = new Set<string>()
  const faults = packagesOf(lock).flatMap(({ name, version, place, license, dev }) => {
    const isShipped = !dev || inHands.has(place)
    if (license && isAllowed(license, new Set(isShipped ? shipped : [...shipped, ...tools]))) return []
    const key = `${name}@${version}`
    needed.add(key)
    if (exceptions[key]) return []
    const kind = isShipped ? 'is shipped' : 'is for development'
    return [`${key} ${kind} under ${license ? `'${license}'` : 'no named licence'}, which tools/release/licences.json does not list`]
  })
  const idle = Object.keys(exceptions).filter(key => !needed.has(key))
  return [...faults, ...idle.map(key => `the exception for ${key} in tools/release/licences.json is not needed`)]
}

/** Checks an SPDX expression: one of `OR`, all of `AND`. Other texts, such as `SEE LICENSE IN`, fail. */
function isAllowed(expression: string, list: ReadonlySet<string>): boolean {
  const inner = /\(([^()]*)\)/.exec(expression)
  // No licence has such a name.
  if (inner?.[1] !== undefined)
    return isAllowed(expression.replace(inner[0], isAllowed(inner[1], list) ? '+' : '-'), new Set([...list, '+']))
  return expression.split(' OR ').some(choice => choice.split(' AND ').every(name => list.has(name.trim())))
}
