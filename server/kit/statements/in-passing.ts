import type { Writable } from 'node:stream'
import type pg from 'pg'

/** To begin, and to say for whom. */
const prepares = /^(begin$|start transaction|begin; set local role |select set_config\('role'|set local role )/

/**
 * What only prepares goes out with the first statement that follows, in one packet: their answers are waited for together, a quarter of all
 * waits of a sale. What goes wrong with them, that statement is told.
 */
export function prepareInPassing(pool: pg.Pool): void {
  pool.on('connect', client => {
    const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
    const ask = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
    let before: Promise<unknown>[] = []
    client.query = ((...given: unknown[]) => {
      const [text] = given
      if (typeof text === 'string' && prepares.test(text)) {
        if (before.length === 0) stream.cork()
        const answer = ask(...given)
        answer.catch(() => {})
        before.push(answer)
        return Promise.resolve(nothing)
      }
      if (before.length === 0) return ask(...given)
      const answers = [...before, ask(...given)]
      before = []
      stream.uncork()
      return Promise.all(answers).then(all => all.at(-1))
    }) as typeof client.query
  })
}

const nothing = { command: '', rowCount: null, rows: [], fields: [] }
