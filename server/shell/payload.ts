import { payloadOf } from '#common/shell/calls.ts'
import { insidePaths } from '#common/shell/routes.ts'
import * as schemas from '#common/shell/schemas.ts'
import { settings } from '#server/business-unit/public.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serve } from '#server/kit/serve.ts'
import { products } from '#server/products/public.ts'
import { usersMe } from '#server/session/public.ts'

/** spec 7: a page fetches its `_payload.json` and can show itself without another request. */
export function servePayloads(context: AppContext): void {
  const [me, unit, sold] = [usersMe(context.world), settings(context.world), products(context.world)]
  for (const path of insidePaths)
    serve(context, payloadOf(path), schemas.payloadOf(path), async asked => ({
      user: await me({ ...asked, ask: {} }),
      unitUuid: asked.caller.unit.scope.businessUnitId,
      settings: await unit({ ...asked, ask: {} }),
      products: await sold({ ...asked, ask: {} }),
    }))
}
