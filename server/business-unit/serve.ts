import * as calls from '#common/business-unit/calls.ts'
import * as schemas from '#common/business-unit/schemas.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveAll } from '#server/kit/serve.ts'
import { settings } from './settings.ts'

export function serveBusinessUnit(context: AppContext): void {
  serveAll(context, calls, schemas, {
    settings: settings(context.world),
  })
}
