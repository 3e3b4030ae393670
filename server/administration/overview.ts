import type * as calls from '#common/administration/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { heldSince } from '#server/kit/work/hold.ts'
import { lastLoad } from './catalogue/queries.ts'
import { countWork } from './work/queries.ts'

export const overview =
  (world: World): Handler<typeof calls.overview> =>
  ({ caller: { allUnits } }) =>
    world.database.acrossUnits(allUnits, async tx => ({
      ...(await countWork(tx)),
      jobsHeldSince: (await heldSince(tx))?.toISOString() ?? null,
      catalogueLoadedAt: (await lastLoad(tx))?.toISOString() ?? null,
    }))
