import { payloadOf } from '#common/shell/calls.ts'
import { insidePaths } from '#common/shell/routes.ts'
import * as schemas from '#common/shell/schemas.ts'
import { settings } from '#server/business-unit/public.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serve } from '#server/kit/serve.ts'
import { products } from '#server/products/public.ts'
import { usersMe } from '#server/session/public.ts'

/** Serves each page's `_payload.json`, with which the page renders without another request (spec 7). */
export function servePayloads(context: AppContext): void {
  const [me, unit, onSale] = [usersMe(context.world), settings(context.world), products(context.world)]
  for (const path of insidePaths)
    serve(context, payloadOf(path), schemas.payloadOf(path), async input => ({
      user: await me({ ...input, ask: {} }),
      unitUuid: input.caller.unit.scope.businessUnitId,
      settings: await unit({ ...input, ask: {} }),
      products: await onSale({ ...input, ask: {} }),
    }))
}
