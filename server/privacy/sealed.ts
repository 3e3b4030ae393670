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

/** Seals what was taken out of objects, bound to its object: it opens nowhere else. */
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
  const people = blocked.flatMap(({ row, people }) =>
    people.map((facts, position) => ({ blocked_id: row.id, position, ...hashesOf(secrets, tx.businessUnitId, facts) })),
  )
  if (people.length > 0) await tx.insertInto('blocked_people').values(people).execute()
}

const ownerOf = (kind: BlockedKind, objectId: string): string => `blocked ${kind} ${objectId}`

/** Returns what was sealed away of an object. */
export const opened = (
  secrets: Secrets,
  { kind, objectId, sealed, sealedBy }: { kind: BlockedKind; objectId: string; sealed: Buffer; sealedBy: string },
): Record<string, unknown> => JSON.parse(secrets.open(ownerOf(kind, objectId), { secret: sealed, sealedBy }).toString())
