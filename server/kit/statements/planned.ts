import type pg from 'pg'

/** Beyond these a text is one of many that are put together as they come, and not worth keeping. */
const mostTexts = 500
/** A plan that was made while a table was small would be kept while it grows. */
const freshForMs = 30_000

/** Its best plan depends on what is asked. */
const dependsOnItsValues = /\blike\b|\bpolicies_found\b|\blimit\b/

/**
 * What is asked again is planned once for each connection: planning takes several times as long as carrying out (decision 22). A page or a
 * search is planned each time.
 */
export function planOnce(pool: pg.Pool): { forget(): void } {
  const known = new Map<string, string>()
  let generation = 0

  function nameOf(text: string): string | undefined {
    const name = known.get(text)
    if (!name && known.size < mostTexts && !dependsOnItsValues.test(text)) known.set(text, `p${generation}.${known.size}`)
    return name
  }

  const planned = new WeakMap<pg.PoolClient, number>()
  pool.on('connect', client => {
    planned.set(client, performance.now())
    const ask = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((...given: unknown[]) => {
      const [text, values, ...rest] = given
      const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
      return name ? ask({ name, text, values }, ...rest) : ask(...given)
    }) as typeof client.query
  })
  pool.on('acquire', client => {
    if (performance.now() - (planned.get(client) ?? 0) < freshForMs) return
    planned.set(client, performance.now())
    // On a line that is broken, whoever asks next is told.
    client.query('discard plans').catch(() => {})
  })

  return {
    forget() {
      known.clear()
      generation += 1
    },
  }
}
