import { setTimeout as delay } from 'node:timers/promises'
import type { ProxyOptions } from 'vite'

/** Returns the paths that Vite forwards to the service in development: all but pages and sources. */
export const proxied = (target: string): Record<string, ProxyOptions> =>
  Object.fromEntries(
    ['/api', '/geo', '/health', '/dev/mail', '/dev/clock', '/metrics', '/builds', '^/.*_payload\\.json(?:\\?|$)'].map(path => [
      path,
      { target, bypass: () => whenUp(target) },
    ]),
  )

/** Waits for the service, which restarts when a file is saved. A page that reloads at the same save would get an error. */
async function whenUp(target: string): Promise<undefined> {
  const end = Date.now() + 15_000
  const isUp = () =>
    fetch(`${target}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    )
  // If a mistake keeps the service from starting, it still gets the request. The page then shows an error.
  while (Date.now() < end && !(await isUp())) await delay(50)
}
