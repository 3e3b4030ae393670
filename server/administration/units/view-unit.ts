import type * as calls from '#common/administration/unit-calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { describeUnit } from './describe.ts'

export const viewUnit =
  (world: World): Handler<typeof calls.viewUnit> =>
  ({ ask, caller: { allUnits }, locale }) =>
    world.database.acrossUnits(allUnits, tx => describeUnit(tx, ask.uuid, locale))
