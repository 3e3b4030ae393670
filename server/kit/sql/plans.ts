/** Beyond these a text is one of many that are composed per request, and not worth keeping. */
const mostTexts = 500

/** The best plan depends on the values. */
const dependsOnItsValues = /\bi?like\b|\bpolicies_found\b|\blimit\b/

/** The names under which the connections of a pool keep their plans. */
export type Plans = {
  /** Returns a name for a text that comes for the second time, else undefined. */
  nameOf(text: string): string | undefined
  generation(): number
  /** Gives all texts new names, unless that has happened since. */
  forget(since: number): void
}

/**
 * Names the statements that are worth a plan of their own on each connection (decision 22). A statement that comes once is not, and a page or a
 * search is planned for its values each time.
 */
export function openPlans(): Plans {
  const named = new Map<string, string>()
  const seen = new Set<string>()
  let generation = 0

  return {
    nameOf(text) {
      const name = named.get(text)
      if (name || dependsOnItsValues.test(text)) return name
      if (!seen.has(text)) {
        if (seen.size >= mostTexts) seen.clear()
        seen.add(text)
        return undefined
      }
      if (named.size < mostTexts) named.set(text, `p${generation}.${named.size}`)
      return named.get(text)
    },
    generation: () => generation,
    forget(since) {
      if (since !== generation) return
      named.clear()
      generation += 1
    },
  }
}

/** True if a migration changed what was planned, or the connection does not know the name: nothing was done, and a new name helps. */
export const isOfAPlan = (error: unknown): boolean => ['0A000', '26000'].includes(String((error as { code?: unknown } | undefined)?.code))
