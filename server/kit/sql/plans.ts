/** The number of texts to remember. If there are more, many are composed per request and not worth a plan. */
const mostTexts = 500

/** Matches texts whose best plan depends on their values. */
const dependsOnItsValues = /\bi?like\b|\bpolicies_(found|summed)\b|\blimit\b/

/** The names under which the connections of a pool keep their plans. */
export type Plans = {
  /** Returns the name of a text from its second use on, else undefined. */
  nameOf(text: string): string | undefined
  generation(): number
  /** Gives all texts new names, unless that has happened since. */
  forget(since: number): void
}

/**
 * Names the statements that are worth a plan of their own on each connection (decision 22). A statement that is used once is not, and a page or a
 * search is planned for its values each time.
 */
export function openPlans(): Plans {
  const named = new Map<string, string>()
  const usedOnce = new Set<string>()
  let generation = 0

  return {
    nameOf(text) {
      const name = named.get(text)
      if (name || dependsOnItsValues.test(text)) return name
      if (!usedOnce.has(text)) {
        if (usedOnce.size >= mostTexts) usedOnce.clear()
        usedOnce.add(text)
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

/** True if a plan is stale after a migration or unknown to the connection. Nothing was done, and a new name helps. */
export const isOfAPlan = (error: unknown): boolean => ['0A000', '26000'].includes(String((error as { code?: unknown } | undefined)?.code))
