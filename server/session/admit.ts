import { Refusal } from '#common/kit/refusals.ts'
import type { Admit, World } from '#server/kit/front.ts'

/** Who asks, by bearer or session cookie, and whether he may. */
export const openAdmission =
  (_world: World): Admit =>
  async (_request, needs) => {
    if (needs === 'nothing') return undefined
    throw new Refusal('session.missing')
  }
