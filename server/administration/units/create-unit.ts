import type * as calls from '#common/administration/unit-calls.ts'
import { textOn } from '#common/kit/contrast.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { audit } from '#server/session/public.ts'
import { describeUnit } from './describe.ts'
import { judge, settingsOf, tidied } from './facts.ts'
import { insertUnit } from './queries.ts'

/** It has the id that the catalogue would give a unit of that key, so that one that comes to be in the catalogue later is the same. */
export const createUnit =
  (world: World): Handler<typeof calls.createUnit> =>
  async asked => {
    const { ask, caller, locale } = asked
    const { allUnits, userId } = caller
    const { key, ...given } = ask
    const facts = tidied(given)
    judge({ key, ...facts })
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
      await audit(world, tx, asked, {
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

/** Until the agency has given its own: the first letter of its name on its colour. */
function initialLogo(brandName: string, accent: string): string {
  const letter = /[\p{L}\p{N}]/u.exec(brandName)?.[0]?.toUpperCase() ?? ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="${accent}"/><text x="32" y="43" font-family="system-ui,sans-serif" font-size="32" font-weight="600" text-anchor="middle" fill="${textOn(accent)}">${letter}</text></svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
