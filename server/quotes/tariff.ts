import { may } from '#common/kit/permissions.ts'
import type * as calls from '#common/quotes/calls.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { CatalogueCache } from './catalogue.ts'
import { offerOf } from './price-for-unit.ts'

/** Returns the tariff, with which the screen prices a trip while the agent types, by the same rules. */
export const tariff =
  (catalogueCache: CatalogueCache): Handler<typeof calls.tariff> =>
  async ({ ask, caller }) => {
    const { scope, permissions } = caller.unit
    const { productId, basis, commissionPercent } = offerOf(await catalogueCache(scope), ask.productUuid)
    return { productUUID: productId, commissionPercent: may(permissions, 'b2b-products-sell') ? commissionPercent : null, basis }
  }
