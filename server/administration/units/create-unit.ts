import type * as calls from '#common/administration/calls.ts'
import { textOn } from '#common/kit/contrast.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { audit } from '#server/session/public.ts'
import { describeUnit } from './describe.ts'
import { validate, settingsOf, normalised } from './facts.ts'
import { insertUnit } from './queries.ts'

/** Creates a unit. Its id is the one that the catalogue would give its key, so a later catalogue entry is the same unit. */
export const createUnit =
  (world: World): Handler<typeof calls.createUnit> =>
  async input => {
    const { ask, caller, locale } = input
    const { allUnits, userId } = caller
    const { key, ...entered } = ask
    const facts = normalised(entered)
    validate({ key, ...facts })
    const settings = { ...settingsOf(facts), logo: initialLogo(facts.brandName, facts.accent) }
    const id = stableId('business-unit', key)
    const now = world.clock.now()
    return world.database.acrossUnits(allUnits, async tx => {
      const made = await insertUnit(tx, {
        id,
        key,
        settings: JSON.stringify(settings),
        set_by_hand: [...Object.keys(facts), 'logo'],
        created_at: now,
        updated_at: now,
      })
      if (!made) throw refuseFields([{ path: 'key', rule: 'unique', key: 'administration.fault.key_taken' }])
      await audit(world, tx, input, {
        action: 'administration.unit_created',
        outcome: 'done',
        userId,
        businessUnitId: id,
        object: id,
        details: { key, ...facts },
      })
      return describeUnit(tx, id, locale)
    })
  }

/** Returns the logo until the agency uploads one: the first letter of its name on its colour. */
function initialLogo(brandName: string, accent: string): string {
  const letter = /[\p{L}\p{N}]/u.exec(brandName)?.[0]?.toUpperCase() ?? ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="${accent}"/><text x="32" y="43" font-family="system-ui,sans-serif" font-size="32" font-weight="600" text-anchor="middle" fill="${textOn(accent)}">${letter}</text></svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
