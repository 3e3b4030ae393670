import type { World } from '#server/kit/app-context.ts'
import { scopeOf } from '#server/session/public.ts'
import { hashOf, type Logo } from '../pdf/document.ts'
import { leaveOut } from '../recreate/queries.ts'

/** The outbox message that documents leave out a logo that cannot be drawn. The agency feature removes it from the agency. */
export const logoLeftOut = 'documents.logo_left_out'

/** Leaves a logo out of all documents that are made again, on every node, and of those to come. */
export const leaveLogoOut = (world: World) => async (unit: string, logo: Logo) => {
  world.log.error({ unit }, 'a logo cannot be drawn, and documents are made without it')
  const sha256 = hashOf(logo)
  await world.database.inScope(scopeOf(unit), async tx => {
    await leaveOut(tx, sha256)
    await world.outbox.publish(tx, logoLeftOut, { sha256 })
  })
}
