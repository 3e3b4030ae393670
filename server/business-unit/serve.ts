import * as calls from '#common/business-unit/calls.ts'
import type { Front } from '#server/kit/front.ts'
import { serve } from '#server/kit/serve.ts'
import { settings } from './settings.ts'

export function serveBusinessUnit(front: Front): void {
  serve(front, calls.settings, settings(front.world))
}
