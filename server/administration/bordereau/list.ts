import type * as calls from '#common/administration/calls.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { pagesOf } from '#server/kit/paging.ts'
import { type Described, describe } from './describe.ts'
import { readerOf } from './four-eyes.ts'
import { bordereauxOf, chosenUnits, periodRows, type UnitOfMonth } from './queries.ts'

export const listBordereaux =
  (world: World): Handler<typeof calls.listBordereaux> =>
  async ({ ask, caller: { allUnits, userId } }) =>
    world.database.acrossUnits(allUnits, async tx => {
      const rows = await periodRows(tx, ask)
      const found = await bordereauxOf(
        tx,
        rows.map(({ month }) => month),
      )
      const units = await chosenUnits(tx, [...new Set(found.flatMap(row => row.units))])
      const reader = await readerOf(world, tx, userId, found)
      const names = new Map(units.map(({ id, brandName }) => [id, brandName]))
      const periods = rows.map(({ month, units }) => {
        const bordereaux = found.filter(row => row.month.startsWith(month)).map(row => describe(row, names, reader))
        return {
          period: month,
          state: stateOf(units, bordereaux),
          units: units.map(({ id, brandName, released }) => ({ businessUnit: { uuid: id, brandName }, released })),
          bordereaux,
        }
      })
      return { ...pagesOf(rows[0]?.total ?? 0, ask), periods }
    })

type PeriodState = ResponseSentOf<typeof calls.listBordereaux>['periods'][number]['state']

/** Returns `released` once the premiums of all units are, else the state of the newest bordereau of premiums that is not. */
function stateOf(units: readonly UnitOfMonth[], bordereaux: readonly Described[]): PeriodState {
  if (units.every(({ released }) => released.includes('premium'))) return 'released'
  return bordereaux.find(({ kind, state }) => kind === 'premium' && state !== 'released')?.state ?? 'open'
}
