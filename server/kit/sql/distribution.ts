import type pg from 'pg'

/** Whether a database may be distributed over machines. Known from its first connection on. */
export type Distribution = {
  isDistributed(): boolean
  learnFrom(client: pg.PoolClient): Promise<void>
}

/** The embedded database runs on one machine, and is not asked. */
export function openDistribution(isEmbedded: boolean): Distribution {
  let known: boolean | undefined = isEmbedded ? false : undefined
  return {
    isDistributed: () => known === true,
    async learnFrom(client) {
      if (known !== undefined) return
      const { rows } = await client.query("select from pg_extension where extname = 'citus'")
      known = rows.length > 0
    },
  }
}
