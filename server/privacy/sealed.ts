import type { World } from '#server/kit/app-context.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { type Facts, hashesOf } from './facts.ts'
import type { BlockedKind, Cause } from './tables.ts'

export type NewBlocked = {
  kind: BlockedKind
  objectId: string
  cause: Cause
  until: string
  content: Record<string, unknown>
  people: Facts[]
}

/** Encrypts what was taken out of objects, each bound to its object, so that no other one can decrypt it. */
export async function sealAway({ secrets, ids, clock }: World, tx: PrivacyUnitTx, all: readonly NewBlocked[]): Promise<void> {
  const blocked = all.map(({ kind, objectId, cause, until, content, people }) => {
    const { secret } = secrets.seal(ownerOf(kind, objectId), Buffer.from(JSON.stringify(content)))
    const row = {
      id: ids.next(),
      kind,
      object_id: objectId,
      cause,
      blocked_at: clock.now(),
      until,
      sealed: secret,
      sealed_by: secrets.sealedBy,
    }
    return { row, people }
  })
  if (blocked.length === 0) return
  await tx
    .insertInto('blocked_data')
    .values(blocked.map(({ row }) => row))
    .execute()
  await insertPeople(
    secrets,
    tx,
    blocked.map(({ row, people }) => ({ id: row.id, people })),
  )
}

async function insertPeople(secrets: Secrets, tx: PrivacyUnitTx, all: readonly { id: string; people: readonly Facts[] }[]): Promise<void> {
  const people = all.flatMap(({ id, people }) =>
    people.map((facts, position) => ({ blocked_id: id, position, ...hashesOf(secrets, tx.businessUnitId, facts) })),
  )
  if (people.length > 0) await tx.insertInto('blocked_people').values(people).execute()
}

/** Encrypts blocked data with the present key, and hashes its people with it. */
export async function sealAgain(
  secrets: Secrets,
  tx: PrivacyUnitTx,
  { id, kind, objectId, content, people }: Pick<NewBlocked, 'kind' | 'objectId' | 'content' | 'people'> & { id: string },
): Promise<void> {
  const { secret } = secrets.seal(ownerOf(kind, objectId), Buffer.from(JSON.stringify(content)))
  await tx.updateTable('blocked_data').set({ sealed: secret, sealed_by: secrets.sealedBy }).where('id', '=', id).execute()
  await tx.deleteFrom('blocked_people').where('blocked_id', '=', id).execute()
  await insertPeople(secrets, tx, [{ id, people }])
}

const ownerOf = (kind: BlockedKind, objectId: string): string => `blocked ${kind} ${objectId}`

/** Returns the decrypted content that was taken out of an object. */
export const opened = (
  secrets: Secrets,
  { kind, objectId, sealed, sealedBy }: { kind: BlockedKind; objectId: string; sealed: Buffer; sealedBy: string },
): Record<string, unknown> => JSON.parse(secrets.open(ownerOf(kind, objectId), { secret: sealed, sealedBy }).toString())
