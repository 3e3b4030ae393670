import type { RefusalCode } from '#common/kit/refusals.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { type BordereauRow, type Made, madeAdministrators } from './queries.ts'

const hourMs = 3_600_000
/** Until then a new administrator neither releases, nor has a bordereau released. */
const newMs = 24 * hourMs
/** Until then administrators are one pair of eyes with those whom they made, and these with each other. */
const pairMs = 30 * 24 * hourMs

type Prepared = Pick<BordereauRow, 'prepared_by'>

/** An administrator who looks at bordereaux, with those who lately became one: they, who prepared, and who made them. */
export type Reader = { userId: string; now: Date; made: readonly Made[] }

export async function readerOf(world: World, tx: AllUnitsTx, userId: string, rows: readonly Prepared[]): Promise<Reader> {
  const now = world.realTime.now()
  const people = [userId, ...rows.flatMap(({ prepared_by }) => prepared_by ?? [])]
  return { userId, now, made: await madeAdministrators(tx, people, new Date(now.getTime() - pairMs)) }
}

/**
 * Returns why the reader cannot release the bordereau, if so. An administrator could else make a second one, and be both pairs of eyes. It
 * holds for both people, since either of them may prepare.
 */
export function refusalOf({ prepared_by: preparer }: Prepared, { userId, now, made }: Reader): RefusalCode | undefined {
  if (preparer === userId) return 'bordereau.same_person'
  const both = [userId, ...(preparer === null ? [] : [preparer])]
  const since = new Date(now.getTime() - newMs)
  const isNew = made.some(({ id, at }) => both.includes(id) && at > since)
  return isNew || isBound(both, made) ? 'bordereau.new_administrator' : undefined
}

/** Returns whether two users have a maker in common, or one of them is the other's. */
const isBound = (users: readonly string[], made: readonly Made[]): boolean => {
  const bound = users.flatMap(user => [...madeBy(user, made)])
  return new Set(bound).size < bound.length
}

/** Returns a user with those who made them an administrator, and who made these. */
function madeBy(user: string, made: readonly Made[]): Set<string> {
  const all = new Set([user])
  // The set grows meanwhile.
  for (const each of all) for (const { id, by } of made) if (id === each && by !== null) all.add(by)
  return all
}
