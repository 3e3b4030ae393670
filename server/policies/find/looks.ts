import { sql } from 'kysely'
import type { Tx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
import { audit, type Where } from '#server/session/audit.ts'
import type { Filter } from './rows.ts'

/**
 * To see a page of policies or tickets is a look at people's names, or at what happened to them: one line in the audit for each page with somebody on it. It says what kind of page it
 * was; the words that were searched for are somebody's name often enough, and stay out.
 */
export async function noteListed(
  world: World,
  tx: Tx,
  asked: Where,
  action: 'policies.listed' | 'tickets.listed',
  details: { shown: number } & Record<string, unknown>,
): Promise<void> {
  if (details.shown === 0) return
  // A list waits for no disk: should the database itself fall, the looks of its last half second are lost with it.
  await sql`set local synchronous_commit = off`.execute(tx)
  await audit(world, tx, asked, { action, outcome: 'done', details })
}

export const shapeOf = ({ statuses, words, from, to, sellerId, ids }: Filter) => ({
  statuses,
  ...(words === '' ? {} : { searched: true }),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
  ...(sellerId === undefined ? {} : { ownOnly: true }),
  ...(ids === undefined ? {} : { chosen: ids.length }),
})
