import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import type { Elapsed } from '#server/kit/clock.ts'

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
