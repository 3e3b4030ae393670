import type pg from 'pg'

export type Line = Pick<pg.PoolClient, 'query'>

/**
 * One statement as the service, in a transaction of its own, for what every call asks: on a server its beginning, the statement and its end go
 * out together, and are waited for once.
 */
export async function alone<T>(line: Line, ask: () => Promise<T>): Promise<T> {
  await line.query('begin; set local role portolan_service')
  const answer = ask()
  // The embedded database takes one at a time.
  if (!(line as { pipeline?: boolean }).pipeline) await answer.catch(() => {})
  const [told, ended] = await Promise.allSettled([answer, line.query('commit')])
  if (told.status === 'rejected') throw told.reason
  // What may not be there for good is not told.
  if (ended.status === 'rejected') throw ended.reason
  return told.value
}
