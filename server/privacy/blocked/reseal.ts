import { sql } from 'kysely'
import type { World } from '#server/kit/app-context.ts'
import { type PrivacyTx, within } from '#server/kit/database.ts'
import { keysIn, unitsOf, untilNone } from '#server/kit/sealed/reseal.ts'
import { scopeOf } from '#server/session/public.ts'
import { type BlockedPerson, type Facts, peopleIn } from '../facts.ts'
import { opened, sealAgain } from '../sealed.ts'
import type { BlockedKind } from '../tables.ts'

type Sealing = Pick<World, 'database' | 'secrets'>

/** Throws at the start if a key of blocked data is missing, instead of later when that data is opened. */
export async function checkBlocked({ database, secrets }: Sealing): Promise<void> {
  for (const key of await database.asPrivacy(tx => keysIn(tx, 'blocked_data', {}))) if (key !== null) secrets.demandKey(key)
}

/** How many rows a transaction encrypts. */
const batch = 20

/**
 * Encrypts all blocked data of former keys with the present key, and hashes its people anew, so that they are found. Returns how many objects there
 * were. Other nodes may do the same meanwhile.
 */
export async function resealBlocked({ database, secrets }: Sealing, isStopping = () => false): Promise<number> {
  const keys = await database.asPrivacy(tx => keysIn(tx, 'blocked_data', {}))
  if (keys.every(key => key === secrets.sealedBy)) return 0
  let all = 0
  for (const unitId of await database.asPrivacy(unitsOf))
    all += await untilNone(isStopping, () => database.asPrivacy(tx => resealSome(secrets, tx, unitId)))
  return all
}

type Row = { unit: string; id: string; kind: BlockedKind; object_id: string; sealed: Buffer; sealed_by: string }

async function resealSome(secrets: World['secrets'], tx: PrivacyTx, unitId: string): Promise<number> {
  const { rows } = await sql<Row>`
    select business_unit_id as unit, id, kind, object_id, sealed, sealed_by from blocked_data
    where business_unit_id = ${unitId} and (sealed_by < ${secrets.sealedBy} or sealed_by > ${secrets.sealedBy}) limit ${batch} for update skip locked`.execute(
    tx,
  )
  for (const { unit, id, kind, object_id: objectId, sealed, sealed_by: sealedBy } of rows) {
    const content = opened(secrets, { kind, objectId, sealed, sealedBy })
    await sealAgain(secrets, within(tx, scopeOf(unit)), { id, kind, objectId, content, people: factsIn(kind, content) })
  }
  return rows.length
}

/** Returns the facts that were hashed when the object was blocked. */
function factsIn(kind: BlockedKind, content: Record<string, unknown>): Facts[] {
  if (kind === 'ticket') {
    // Safe: blockTickets wrote it.
    const ticket = content['ticket'] as { contact_name: string; contact_email: string }
    return [{ document: null, birthDate: null, email: ticket.contact_email, name: ticket.contact_name }]
  }
  // Safe: blockPolicies wrote it.
  return peopleIn(content['people'] as BlockedPerson[])
}
