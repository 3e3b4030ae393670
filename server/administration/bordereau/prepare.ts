import type * as calls from '#common/administration/calls.ts'
import { today } from '#common/kit/dates.ts'
import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import { openMonthOf } from '#server/accounting/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type AllUnitsTx, within } from '#server/kit/database.ts'
import type { AllUnits } from '#server/kit/scope.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, unitForAdministration } from '#server/session/public.ts'
import { describe } from './describe.ts'
import { readerOf } from './four-eyes.ts'
import { type ChosenUnit, chosenUnits, deleteUnreleased, insertBordereau, preparedBy, releasedUnits } from './queries.ts'
import { bordereauAsked } from './write.ts'

/** Prepares a bordereau: a job writes its files, as a month may have a million rows. */
export const prepareBordereau =
  (world: World): Handler<typeof calls.prepareBordereau> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    const { kind, period, requestUuid } = ask
    const chosen = [...new Set(ask.units)]
    const across = <T>(work: (tx: AllUnitsTx) => Promise<T>) => world.database.acrossUnits(allUnits, work)
    const units = await across(tx => chosenUnits(tx, chosen))
    if (units.length < chosen.length) throw new Refusal('request.not_found')
    await refuseOpen(world, allUnits, period, units)
    return across(async tx => {
      const names = new Map(units.map(({ id, brandName }) => [id, brandName]))
      // The unique key lets one of several equal requests through. The others wait here for its bordereau.
      const id = world.ids.next()
      const isNew = await insertBordereau(tx, {
        id,
        requestId: requestUuid,
        kind,
        month: period,
        units: chosen,
        userId,
        at: world.clock.now(),
      })
      if (isNew) {
        const released = await releasedUnits(tx, kind, period, chosen)
        refuse(
          'bordereau.released',
          units.filter(unit => released.has(unit.id)),
        )
        await deleteUnreleased(tx, { kind, month: period, units: chosen, except: id })
        // A job belongs to one unit: the first unit stands for all.
        const first = within(tx, unitForAdministration(allUnits, chosen[0] ?? ''))
        await world.outbox.publish(first, bordereauAsked, { bordereauUuid: id })
        await audit(world, tx, input, {
          action: 'administration.bordereau_prepared',
          outcome: 'done',
          userId,
          object: id,
          details: { kind, period, businessUnits: units.map(({ brandName }) => brandName) },
        })
      }
      const made = await preparedBy(tx, requestUuid)
      if (!made) throw new Refusal('service.unavailable')
      return describe(made, names, await readerOf(world, tx, userId, [made]))
    })
  }

/** Refuses a month that is not over for some unit, or not closed. */
async function refuseOpen(world: World, allUnits: AllUnits, period: string, units: readonly ChosenUnit[]): Promise<void> {
  refuse(
    'bordereau.not_over',
    units.filter(({ timeZone }) => period >= today(world.clock.now(), timeZone).slice(0, 7)),
  )
  const open: ChosenUnit[] = []
  for (const unit of units)
    if (await world.database.inScope(unitForAdministration(allUnits, unit.id), tx => openMonthOf(tx, period))) open.push(unit)
  refuse('bordereau.not_closed', open)
}

/** Refuses if there are such units, and names them. */
export function refuse(code: RefusalCode, units: readonly Pick<ChosenUnit, 'id' | 'brandName'>[]): void {
  if (units.length === 0) return
  throw new Refusal(code, {
    params: { agencies: units.map(({ brandName }) => brandName).join(', ') },
    data: { units: units.map(({ id }) => id) },
  })
}
