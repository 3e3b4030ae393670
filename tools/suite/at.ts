import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Environment = Record<string, string | undefined>

/** How far the clock of the tests is ahead, in ms. It is one number, so that processes agree whenever they start. */
const variable = 'TEST_AHEAD_MS'

export const aheadMs = (): number => Number(process.env[variable] ?? 0)

/** Removes `--at` from the arguments, and sets the clock of all tests to that day (10:00 UTC) or moment. Returns the rest, or the problem. */
export function takeDay(given: string[], environment: Environment = process.env, now = Date.now() - aheadMs()): string[] | string {
  const index = given.findIndex(each => each === '--at' || each.startsWith('--at='))
  if (index < 0) return given
  const [, sameWord] = given[index]?.split('=') ?? []
  const day = sameWord ?? given[index + 1] ?? ''
  const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(day) ? Date.parse(day.includes('T') ? day : `${day}T10:00Z`) : Number.NaN
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(day.slice(0, 10)))
    return '--at takes a day or a moment in UTC, such as 2027-03-20 or 2026-12-31T22:30Z.'
  if (environment['TEST_DATABASE_URL']) return '--at works on the embedded database only: the clock of a PostgreSQL server cannot be set.'
  environment[variable] = String(time - now)
  const first = `--import=${pathToFileURL(join(import.meta.dirname, 'at-first.ts')).href}`
  environment['NODE_OPTIONS'] = [environment['NODE_OPTIONS'] ?? '', first].join(' ').trim()
  return given.toSpliced(index, sameWord === undefined ? 2 : 1)
}

/**
 * Moves `Date` of this process, thread or page ahead by this many ms. Timers and `performance` are unchanged. A page runs the function's source, so
 * it uses nothing from outside.
 */
export function shiftDate(ms: number): void {
  const real = Date
  const { now } = real
  real.now = () => now() + ms
  globalThis.Date = new Proxy(real, {
    construct: (_, given, as: typeof Date): Date => Reflect.construct(real, given.length > 0 ? given : [real.now()], as),
    apply: () => new real(real.now()).toString(),
  })
  real.prototype.constructor = globalThis.Date
}
