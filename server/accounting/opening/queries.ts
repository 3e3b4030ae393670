import type { ServiceTx } from '#server/kit/database.ts'

export const unitOfKey = async (tx: ServiceTx, key: string): Promise<string | undefined> =>
  (await tx.selectFrom('business_units').select('id').where('key', '=', key).executeTakeFirst())?.id
