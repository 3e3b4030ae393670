import * as calls from '#common/business-unit/calls.ts'
import * as schemas from '#common/business-unit/schemas.ts'
import type { Front } from '#server/kit/front.ts'
import { serve } from '#server/kit/serve.ts'
import { settings } from './settings.ts'

export function serveBusinessUnit(front: Front): void {
  serve(front, calls.settings, schemas.settings, settings(front.world))
}
