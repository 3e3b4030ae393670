import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits until the function finds something, and returns that. The timeout is long, as a run on a busy machine must not depend on it. It only ends a
 * hopeless wait, and names the missing result.
 */
export async function until<T>(what: string, look: () => T | Promise<T>, timeoutMs = 180_000): Promise<Exclude<T, Nothing>> {
  for (const end = performance.now() + timeoutMs; ; await delay(50)) {
    const found = await look()
    // Safe: it is not undefined.
    if (found) return found as Exclude<T, Nothing>
    if (performance.now() > end) throw new Error(`waited ${timeoutMs / 1000} s in vain: ${what}`)
  }
}

type Nothing = undefined | null | false | 0 | ''
