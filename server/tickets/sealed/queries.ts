import { sql, type SqlBool } from 'kysely'
import type { ServiceTx } from '#server/kit/database.ts'
import { keysIn } from '#server/kit/sealed/reseal.ts'
import type { SealedWords } from './words.ts'

/** Blocked tickets have no texts: these are in the blocked data. */
const notBlocked = sql<SqlBool>`status <> 'blocked'`

type SealedTable = 'tickets' | 'ticket_messages'

/** Returns the keys that encrypt texts; null stands for texts in clear. */
export function keysOfWords(tx: ServiceTx, table: SealedTable): Promise<(string | null)[]> {
  const shown = table === 'tickets' ? notBlocked : sql<SqlBool>`true`
  return keysIn(tx, table, { among: shown, isOpen: sql`${shown} and sealed_by is null` })
}

/** Reads and locks tickets of a unit that one key encrypted, or none. Skips those that another node is encrypting. */
export const ticketsSealedBy = (tx: ServiceTx, unitId: string, key: string | null, limit: number) =>
  tx
    .selectFrom('tickets')
    .select(['business_unit_id', 'id', 'description', 'form', 'sealed', 'sealed_by'])
    .where('business_unit_id', '=', unitId)
    .where('sealed_by', key === null ? 'is' : '=', key)
    .where(notBlocked)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

export const messagesSealedBy = (tx: ServiceTx, unitId: string, key: string | null, limit: number) =>
  tx
    .selectFrom('ticket_messages')
    .select(['business_unit_id', 'id', 'body', 'sealed', 'sealed_by'])
    .where('business_unit_id', '=', unitId)
    .where('sealed_by', key === null ? 'is' : '=', key)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

type Of = { business_unit_id: string; id: string }

export const keepTicket = (tx: ServiceTx, { business_unit_id, id }: Of, columns: SealedWords & { description: string; form: string }) =>
  tx.updateTable('tickets').set(columns).where('business_unit_id', '=', business_unit_id).where('id', '=', id).execute()

export const keepMessage = (tx: ServiceTx, { business_unit_id, id }: Of, columns: SealedWords & { body: string }) =>
  tx.updateTable('ticket_messages').set(columns).where('business_unit_id', '=', business_unit_id).where('id', '=', id).execute()
