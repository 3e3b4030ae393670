import { sql } from 'kysely'
import type { World } from '#server/kit/app-context.ts'
import { type PrivacyTx, within } from '#server/kit/database.ts'
import { scopeOf } from '#server/session/public.ts'
import { type BlockedPerson, type Facts, peopleIn } from '../facts.ts'
import { opened, sealAgain } from '../sealed.ts'
import type { BlockedKind } from '../tables.ts'

type Sealing = Pick<World, 'database' | 'secrets'>

/** Throws if a key is missing that sealed blocked data, so that the start tells it and not the one who has to open it. */
export async function checkBlocked({ database, secrets }: Sealing): Promise<void> {
  const { rows } = await database.asPrivacy(tx =>
    sql<{ key: string }>`
      with recursive keys as (
        (select sealed_by as key from blocked_data order by sealed_by limit 1)
        union all
        select (select sealed_by from blocked_data where sealed_by > key order by sealed_by limit 1) from keys where key is not null)
      select key from keys where key is not null`.execute(tx),
  )
  for (const { key } of rows) secrets.demandKey(key)
}

/** The rows of a transaction. */
const batch = 20

/**
 * Seals with the present key all blocked data that a former key sealed, and hashes its people anew, so that they are found. Returns how many objects
 * they were. Other nodes may do the same meanwhile.
 */
export async function resealBlocked({ database, secrets }: Sealing, isStopping = () => false): Promise<number> {
  let all = 0
  let many = 0
  do {
    many = isStopping() ? 0 : await database.asPrivacy(tx => resealSome(secrets, tx))
    all += many
  } while (many > 0)
  return all
}

type Row = { unit: string; id: string; kind: BlockedKind; object_id: string; sealed: Buffer; sealed_by: string }

async function resealSome(secrets: World['secrets'], tx: PrivacyTx): Promise<number> {
  const { rows } = await sql<Row>`
    select business_unit_id as unit, id, kind, object_id, sealed, sealed_by from blocked_data
    where sealed_by < ${secrets.sealedBy} or sealed_by > ${secrets.sealedBy} limit ${batch} for update skip locked`.execute(tx)
  for (const { unit, id, kind, object_id: objectId, sealed, sealed_by: sealedBy } of rows) {
    const content = opened(secrets, { kind, objectId, sealed, sealedBy })
    await sealAgain(secrets, within(tx, scopeOf(unit)), { id, kind, objectId, content, people: factsIn(kind, content) })
  }
  return rows.length
}

/** Returns who was hashed when the object was blocked. */
function factsIn(kind: BlockedKind, content: Record<string, unknown>): Facts[] {
  if (kind === 'ticket') {
    // Safe: blockTickets wrote it.
    const ticket = content['ticket'] as { contact_name: string; contact_email: string }
    return [{ document: null, birthDate: null, email: ticket.contact_email, name: ticket.contact_name }]
  }
  // Safe: blockPolicies wrote it.
  return peopleIn(content['people'] as BlockedPerson[])
}
