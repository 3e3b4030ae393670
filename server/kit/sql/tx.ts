import type { Transaction } from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'

/** A transaction that no unit binds: the service's or the administration's. What it does for one unit goes through `within` (database.ts). */
export type Tx = Transaction<Tables>
/** The service's transaction: of what belongs to no unit, and of jobs and batches. */
export type ServiceTx = Tx & { readonly [isOf]: 'service' }
/** The administration's transaction across all units. */
export type AllUnitsTx = Tx & { readonly [isOf]: 'administration' }

declare const isOf: unique symbol
