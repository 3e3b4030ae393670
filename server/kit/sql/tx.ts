import type { Transaction } from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'

/** A transaction that is not bound to a unit: the service's or the administration's. Work for one unit goes through `within` (database.ts). */
export type Tx = Transaction<Tables>
/** The service's transaction, for rows of no unit, and for jobs and batches. */
export type ServiceTx = Tx & { readonly [isOf]: 'service' }
/** The administration's transaction across all units. */
export type AllUnitsTx = Tx & { readonly [isOf]: 'administration' }
/** The transaction of the retention, which alone changes people, versions and histories after they were written (decision 64). */
export type PrivacyTx = Tx & { readonly [isOf]: 'privacy' }

declare const isOf: unique symbol
