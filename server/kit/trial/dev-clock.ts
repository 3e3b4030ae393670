import * as z from 'zod/mini'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { isFromThisMachine } from '../http/loopback.ts'
import { shapeProblems } from '../http/failures.ts'

const body = z.strictObject({ at: z.optional(z.iso.datetime({ offset: true })) })

/** Lets a developer or a check set the business clock: only outside production and on this machine. */
export function serveDevClock({ http, world }: AppContext): void {
  if (world.config.production) return
  http.post('/dev/clock', async request => {
    if (!isFromThisMachine(request)) throw new Refusal('request.not_found')
    const asked = body.safeParse(request.body ?? {}, { reportInput: true })
    if (!asked.success) throw refuseFields(shapeProblems(asked.error.issues))
    const { at } = asked.data
    await world.businessClock.set(at === undefined ? undefined : new Date(at))
    return { code: 200, data: { now: world.clock.now().toISOString(), isSet: at !== undefined } }
  })
}
