import type { World } from '#server/kit/app-context.ts'
import { factorsWithOtherKey, keepSealed } from './queries.ts'

/**
 * Encrypts all second factors with the present key at start. Some may be unencrypted or under a former key.
 * A wrong key stops the start, instead of failing sign-ins one by one.
 */
export const sealStored = ({ database, secrets }: World): Promise<void> =>
  database.atLeisure(async tx => {
    for (const { user_id, secret, sealed_by } of await factorsWithOtherKey(tx, secrets.sealedBy))
      await keepSealed(tx, user_id, secrets.seal(user_id, secrets.open(user_id, { secret, sealedBy: sealed_by })))
  })
