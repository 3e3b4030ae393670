import type { ColumnType, JSONColumnType } from 'kysely'

/** A moment, written as a Date or an ISO text, read as a Date. */
export type Instant = ColumnType<Date, Date | string, Date | string>
export type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** A JSON column. It is written as text, because the driver would write an array as a PostgreSQL array. */
export type Json<T extends object> = JSONColumnType<T>
export type JsonOrNull<T extends object> = ColumnType<T | null, string | null | undefined, string | null>
/** The unit of a row. It has no type for updates, so that no update moves a row to another unit. */
export type UnitId = ColumnType<string, string, never>
