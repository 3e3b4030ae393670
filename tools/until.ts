import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits until a look finds something, and returns it. The deadline is generous, because a run on a busy machine must not depend on it: it only ends
 * a wait for what never comes, and says what that was.
 */
export async function until<T>(what: string, look: () => T | Promise<T>, timeoutMs = 180_000): Promise<Exclude<T, Nothing>> {
  for (const end = performance.now() + timeoutMs; ; await delay(50)) {
    const found = await look()
    // Safe: it is not nothing.
    if (found) return found as Exclude<T, Nothing>
    if (performance.now() > end) throw new Error(`waited ${timeoutMs / 1000} s in vain: ${what}`)
  }
}

type Nothing = undefined | null | false | 0 | ''
