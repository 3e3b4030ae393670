import type pg from 'pg'

const ofBook = /\b(?:money_book|account_headroom)\b/

/** Answers the statements of the money book without sending them while it is off, to measure their share of a sale. Returns the switch. */
export function switchBook(pool: pg.Pool): (on: boolean) => void {
  let isOn = true
  const seen = new Set<pg.PoolClient>()
  pool.on('acquire', client => {
    if (seen.has(client)) return
    seen.add(client)
    // Safe: only the arguments of a caller are passed on.
    const ask = client.query.bind(client) as (...args: unknown[]) => unknown
    // Safe: it calls the original with the same arguments, or answers as the driver would.
    client.query = ((...args: unknown[]) => {
      // Safe: the server calls `query` in these forms only.
      const [first] = args as [string | { text: string }]
      const text = typeof first === 'string' ? first : first.text
      return isOn || !ofBook.test(text) ? ask(...args) : Promise.resolve({ command: 'INSERT', rowCount: 1, rows: [{}], fields: [] })
    }) as typeof client.query
  })
  return on => {
    isOn = on
  }
}
