import pg from 'pg'

const { utils } = pg as unknown as { utils: { prepareValue(value: unknown): unknown } }

/** Beyond these a text is one of many that are put together as they come, and not worth keeping. */
const mostTexts = 500
/** A plan that was made while a table was small would be kept while it grows. */
const freshForMs = 30_000

/** Its best plan depends on what is asked. */
const dependsOnItsValues = /\bi?like\b|\bpolicies_found\b|\blimit\b/

/** What is known of the plans that the connections of a pool keep. All of them are made anew from where somebody was refused one. */
export type Plans = { generation(): number; forget(since: number): void }

/**
 * What a transaction asks for the second time is planned for each connection, and not for each time: of what is read, planning takes longer than
 * reading (decision 22). A page or a search is planned each time; and so is what is asked outside of a transaction, where nobody could begin anew.
 */
export function planOnce(pool: pg.Pool): Plans {
  const named = new Map<string, string>()
  const seen = new Set<string>()
  let generation = 0

  function nameOf(text: string): string | undefined {
    const name = named.get(text)
    if (name || dependsOnItsValues.test(text)) return name
    if (!seen.has(text)) {
      if (seen.size >= mostTexts) seen.clear()
      seen.add(text)
      return undefined
    }
    if (named.size < mostTexts) named.set(text, `p${generation}.${named.size}`)
    return named.get(text)
  }

  const planned = new WeakMap<pg.PoolClient, number>()
  pool.on('connect', client => {
    planned.set(client, performance.now())
    const ask = client.query.bind(client) as (...given: unknown[]) => unknown
    let isOpen = false
    client.query = ((...given: unknown[]) => {
      const [text, values, ...rest] = given
      if (typeof text !== 'string') return ask(...given)
      if (begins.test(text)) isOpen = true
      if (ends.test(text)) isOpen = false
      if (!Array.isArray(values) || values.length === 0) return ask(...given)
      // What cannot be written is told before anything is sent: half of a statement would leave the connection of no use.
      const sent = values.map(value => utils.prepareValue(value))
      const name = isOpen ? nameOf(text) : undefined
      return name ? ask({ name, text, values: sent }, ...rest) : ask(text, sent, ...rest)
    }) as typeof client.query
  })
  pool.on('acquire', client => {
    if (performance.now() - (planned.get(client) ?? 0) < freshForMs) return
    planned.set(client, performance.now())
    // On a line that is broken, whoever asks next is told.
    client.query('discard plans').catch(() => {})
  })

  return {
    generation: () => generation,
    forget(since) {
      if (since !== generation) return
      named.clear()
      generation += 1
    },
  }
}

const begins = /^(begin|start transaction)\b/
const ends = /^(commit|rollback)$/
