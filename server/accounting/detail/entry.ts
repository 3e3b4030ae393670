import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { EarnedRow } from '../queries.ts'
import { ownOnly } from '../sight.ts'
import { standingOf, statementOfMovement } from '../statements/standing.ts'
import { movementById } from './queries.ts'

/** Finds a movement with its statement's number. Users who see only own sales find only their own, without the number. */
export async function findEntry(
  world: World,
  tx: UnitTx,
  caller: CallerInUnit,
  id: string,
): Promise<(EarnedRow & { statement: string | undefined }) | undefined> {
  const own = ownOnly(caller)
  const entry = await movementById(tx, id)
  if (!entry || (own !== undefined && entry.seller_id !== own)) return undefined
  if (own !== undefined) return { ...entry, statement: undefined }
  const { timeZone } = await unitSettings(tx)
  const standing = await standingOf(tx, world.clock.now(), timeZone)
  return { ...entry, statement: statementOfMovement(standing, entry)?.row.number }
}
