import type { World } from '#server/kit/app-context.ts'
import { factorsSealedOtherwise, keepSealed } from './queries.ts'

/**
 * At start: what an older version left open is sealed, and what a former key has sealed is sealed by the present one. A key that is not the
 * right one ends the start, and not the sign-ins one by one.
 */
export const sealStored = ({ database, secrets }: World): Promise<void> =>
  database.atLeisure(async tx => {
    for (const { user_id, secret, sealed_by } of await factorsSealedOtherwise(tx, secrets.sealedBy))
      await keepSealed(tx, user_id, secrets.seal(user_id, secrets.open(user_id, { secret, sealedBy: sealed_by })))
  })
