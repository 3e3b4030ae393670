import type { RefusalCode } from '#common/kit/refusals.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { type BordereauRow, type Made, madeAdministrators } from './queries.ts'

const hourMs = 3_600_000
/** Until then a new administrator neither releases, nor has a bordereau released. */
const newMs = 24 * hourMs
/** Until then two administrators, of whom one made the other, are one pair of eyes. */
const pairMs = 30 * 24 * hourMs

type Prepared = Pick<BordereauRow, 'prepared_by'>

/** An administrator who looks at bordereaux, with those who lately became one: they, and who prepared. */
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
  const both = new Set<string | null>([userId, preparer])
  const since = new Date(now.getTime() - newMs)
  const isNew = made.some(({ id, by, at }) => both.has(id) && (at > since || (by !== id && both.has(by))))
  return isNew ? 'bordereau.new_administrator' : undefined
}
