import { type Dialect, DummyDriver, Transaction } from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'

/**
 * Returns a transaction whose statements need not wait for each other. They are sent in the order in which they are asked for, and those of one turn
 * (`Promise.all`) in one packet. Kysely would send each after the result of the one before.
 */
export async function pipelined(tx: Transaction<Tables>, dialect: Dialect): Promise<Transaction<Tables>> {
  const executor = tx.getExecutor()
  const connection = await executor.provideConnection(each => Promise.resolve(each))
  return new Transaction({
    config: { dialect },
    dialect,
    // Only a new connection or a new transaction would use the driver.
    driver: new DummyDriver(),
    executor: executor.withConnectionProvider({ provideConnection: work => work(connection) }),
  })
}
