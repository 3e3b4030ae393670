import type { Insertable, Selectable } from 'kysely'
import type { World } from '#server/kit/app-context.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { Sealed } from '#server/kit/store/secrets.ts'
import type { SessionTables } from '#server/session/tables.ts'

export type FactorRow = Selectable<SessionTables['second_factors']>

export const findFactor = (tx: ServiceTx, userId: string) =>
  tx.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** Reads the factor and locks it until the transaction ends. Of two concurrent uses of a code, one thus fails. */
export const lockFactor = (tx: ServiceTx, userId: string) =>
  tx.selectFrom('second_factors').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()

/** Stores a secret that takes effect once a code confirms it. Returns undefined if a confirmed one exists. */
export const proposeFactor = (tx: ServiceTx, userId: string, { secret, sealedBy }: Sealed, now: Date) =>
  tx
    .insertInto('second_factors')
    .values({ user_id: userId, secret, sealed_by: sealedBy, created_at: now })
    .onConflict(conflict =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret, sealed_by: sealedBy, last_step: 0, created_at: now })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()

/** Reads and locks the factors that another key or none encrypted. Of several nodes that start at once, one re-encrypts. */
const factorsWithOtherKey = (tx: ServiceTx, by: string) =>
  tx
    .selectFrom('second_factors')
    .select(['user_id', 'secret', 'sealed_by'])
    .where('sealed_by', 'is distinct from', by)
    .orderBy('user_id')
    .forUpdate()
    .execute()

const keepSealed = (tx: ServiceTx, userId: string, { secret, sealedBy }: Sealed) =>
  tx.updateTable('second_factors').set({ secret, sealed_by: sealedBy }).where('user_id', '=', userId).execute()

export const confirmFactor = (tx: ServiceTx, userId: string, now: Date) =>
  tx.updateTable('second_factors').set({ confirmed_at: now }).where('user_id', '=', userId).execute()

export const takeStep = (tx: ServiceTx, userId: string, step: number) =>
  tx.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', userId).execute()

export async function dropFactor(tx: ServiceTx, userId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).execute()
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
}

export async function replaceRecoveryCodes(tx: ServiceTx, userId: string, hashes: Buffer[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map(hash => ({ user_id: userId, code_hash: hash })))
    .execute()
}

/** Consumes a recovery code. Only one of two concurrent uses succeeds. */
export const takeRecoveryCode = (tx: ServiceTx, userId: string, hash: Buffer, now: Date) =>
  tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()

export async function recoveryCodesLeft(tx: ServiceTx, userId: string): Promise<number> {
  const { left } = await tx
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

export const wrongCodesOf = (tx: ServiceTx, userId: string, source: string, since: Date) =>
  tx
    .selectFrom('wrong_codes')
    .select(({ fn }) => [fn.countAll<number>().as('many'), fn.min('at').as('oldest')])
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .where('at', '>', since)
    .executeTakeFirstOrThrow()

export const insertWrongCode = (tx: ServiceTx, wrong: Insertable<SessionTables['wrong_codes']>) =>
  tx.insertInto('wrong_codes').values(wrong).execute()

export const findDevice = (tx: ServiceTx, userId: string, tokenHash: Buffer) =>
  tx
    .selectFrom('known_devices')
    .select(['token_hash', 'proven_by'])
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Moves a browser to a new token, for all its users. */
export const moveDevice = (tx: ServiceTx, before: Buffer, after: Buffer) =>
  tx.updateTable('known_devices').set({ token_hash: after }).where('token_hash', '=', before).execute()

/** Stores a known browser. One that was proven by a code stays so after a mailed link. */
export const keepDevice = (tx: ServiceTx, device: Insertable<SessionTables['known_devices']>) =>
  tx
    .insertInto('known_devices')
    .values(device)
    .onConflict(conflict =>
      conflict.columns(['token_hash', 'user_id']).doUpdateSet({
        used_at: device.used_at,
        ...(device.proven_by === 'code' ? { proven_by: device.proven_by } : {}),
      }),
    )
    .execute()

/**
 * Encrypts all second factors with the present key at start. Some may be unencrypted or under a former key.
 * A wrong key stops the start, instead of failing sign-ins one by one.
 */
export const sealStored = ({ database, secrets }: World): Promise<void> =>
  database.atLeisure(async tx => {
    for (const { user_id, secret, sealed_by } of await factorsWithOtherKey(tx, secrets.sealedBy))
      await keepSealed(tx, user_id, secrets.seal(user_id, secrets.open(user_id, { secret, sealedBy: sealed_by })))
  })
