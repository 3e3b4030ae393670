import { isIP } from 'node:net'
import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import type { Elapsed } from '#server/kit/clock.ts'

/**
 * Returns the network of an address: IPv4 as it is, or the /64 of IPv6. One home has a whole /64. Some proxies add a port, which a client chooses.
 * Everything that is not an address counts as one network.
 */
export function networkOf(written: string): string {
  const [, bracketed, four] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(written) ?? []
  const ip = bracketed ?? four ?? written
  // An entry that stands for several networks has an empty one.
  if (isIP(ip) === 0) return ip && 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped || !ip.includes(':')) return mapped ?? ip
  const [head = '', tail] = ip.toLowerCase().split('%')[0]?.split('::') ?? []
  const first = head.split(':').filter(Boolean)
  const last = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** The most networks that are counted at once; the one that began first is forgotten. */
const mostKeys = 5_000

/**
 * Counts the requests of each network in a window that starts with its first. Each request gets its own result, as the limiter reads it a moment later.
 * The limiter's own store gives one object to all, and so refuses concurrent requests by the count of the last one.
 */
export class RequestCounts implements FastifyRateLimitStore {
  readonly #elapsed: Elapsed
  readonly #windows = new Map<string, { requests: number; endsAt: number }>()

  constructor(elapsed: Elapsed) {
    this.#elapsed = elapsed
  }

  incr(key: string, callback: (error: null, result: { current: number; ttl: number }) => void, windowMs: number): void {
    const now = this.#elapsed()
    const known = this.#windows.get(key)
    const window = known && known.endsAt > now ? known : this.#open(key, now + windowMs)
    window.requests += 1
    callback(null, { current: window.requests, ttl: window.endsAt - now })
  }

  child(): RequestCounts {
    return new RequestCounts(this.#elapsed)
  }

  #open(key: string, endsAt: number) {
    const window = { requests: 0, endsAt }
    this.#windows.delete(key)
    this.#windows.set(key, window)
    const [first] = this.#windows.keys()
    if (this.#windows.size > mostKeys && first !== undefined) this.#windows.delete(first)
    return window
  }
}
