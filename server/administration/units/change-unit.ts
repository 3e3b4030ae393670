import type * as calls from '#common/administration/calls.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import { changesBetween, insertChange } from '#server/agency/public.ts'
import { within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, unitForAdministration } from '#server/session/public.ts'
import { describeUnit, factsOf, unitToChange } from './describe.ts'
import { changedSettings, differences, validate, normalised } from './facts.ts'
import { hasPolicies, updateUnit } from './queries.ts'

/** Changes a unit's facts. The next load of the catalogue leaves the changed ones alone. */
export const changeUnit =
  (world: World): Handler<typeof calls.changeUnit> =>
  async input => {
    const { ask, caller, locale } = input
    const { allUnits, userId } = caller
    const { uuid, version, ...entered } = ask
    const facts = normalised(entered)
    validate(facts)
    return world.database.acrossUnits(allUnits, async tx => {
      const unit = await unitToChange(tx, uuid, version)
      const changed = differences(factsOf(unit.settings), facts)
      if (changed['currency'] && (await hasPolicies(tx, uuid)))
        throw refuseFields([{ path: 'currency', rule: 'fixed', key: 'administration.fault.currency_fixed' }])
      const names = Object.keys(changed)
      if (names.length > 0) {
        const settings = changedSettings(unit.settings, facts)
        const [next, now] = [unit.version + 1, world.clock.now()]
        await updateUnit(tx, uuid, {
          settings: JSON.stringify(settings),
          version: next,
          set_by_hand: [...new Set([...unit.setByHand, ...names])],
          updated_at: now,
        })
        // The agency sees these in the history of its profile.
        const changes = changesBetween(unit.settings, settings)
        if (changes.length > 0)
          await insertChange(within(tx, unitForAdministration(allUnits, uuid)), { version: next, at: now, userId, changes })
        await audit(world, tx, input, {
          action: 'administration.unit_changed',
          outcome: 'done',
          userId,
          businessUnitId: uuid,
          object: uuid,
          details: changed,
        })
      }
      return describeUnit(tx, uuid, locale)
    })
  }
