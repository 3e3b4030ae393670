import type * as calls from '#common/administration/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { pagesOf } from '#server/kit/paging.ts'
import { listUnitRows } from './queries.ts'

export const listUnits =
  (world: World): Handler<typeof calls.listUnits> =>
  async ({ ask, caller: { allUnits } }) => {
    const suspended = ask.state === undefined ? undefined : ask.state === 'suspended'
    const { total, rows } = await world.database.acrossUnits(allUnits, tx => listUnitRows(tx, ask.searchData ?? '', suspended, ask))
    return {
      ...pagesOf(total, ask),
      units: rows.map(({ id, key, settings, suspended, users, products, createdAt }) => ({
        uuid: id,
        key,
        brandName: settings.brandName,
        legalName: settings.legalName,
        managementGroup: settings.managementGroup,
        locale: settings.locale,
        suspended,
        users: users ?? 0,
        products: products ?? 0,
        createdAt: createdAt.toISOString(),
      })),
    }
  }
