import type { RefusalCode } from '#common/kit/refusals.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { type BordereauRow, type Made, madeAdministrators } from './queries.ts'

const hourMs = 3_600_000
/** For this long a new administrator may not release a bordereau, and none that they prepared is released. */
const newMs = 24 * hourMs
/** How long administrators count as one person with those whom they made, and these with each other. */
const pairMs = 30 * 24 * hourMs

type Prepared = Pick<BordereauRow, 'prepared_by'>

/** The administrator who reads. `made`: recent administrators among the reader, the preparers and their makers. */
export type Reader = { userId: string; now: Date; made: readonly Made[] }

export async function readerOf(world: World, tx: AllUnitsTx, userId: string, rows: readonly Prepared[]): Promise<Reader> {
  const now = world.realTime.now()
  const people = [userId, ...rows.flatMap(({ prepared_by }) => prepared_by ?? [])]
  return { userId, now, made: await madeAdministrators(tx, people, new Date(now.getTime() - pairMs)) }
}

/**
 * Returns why the reader cannot release the bordereau, if so. Otherwise an administrator could make a second one and release their own work. The rule
 * holds for both people, since either may prepare.
 */
export function refusalOf({ prepared_by: preparer }: Prepared, { userId, now, made }: Reader): RefusalCode | undefined {
  if (preparer === userId) return 'bordereau.same_person'
  const both = [userId, ...(preparer === null ? [] : [preparer])]
  const since = new Date(now.getTime() - newMs)
  const isNew = made.some(({ id, at }) => both.includes(id) && at > since)
  return isNew || isBound(both, made) ? 'bordereau.new_administrator' : undefined
}

/** Returns whether two users have a maker in common, or one of them made the other. */
const isBound = (users: readonly string[], made: readonly Made[]): boolean => {
  const bound = users.flatMap(user => [...madeBy(user, made)])
  return new Set(bound).size < bound.length
}

/** Returns a user with those who made them an administrator, and who made these. */
function madeBy(user: string, made: readonly Made[]): Set<string> {
  const all = new Set([user])
  // The loop also visits those who are added meanwhile.
  for (const each of all) for (const { id, by } of made) if (id === each && by !== null) all.add(by)
  return all
}
