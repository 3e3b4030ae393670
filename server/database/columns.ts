import type { ColumnType, JSONColumnType } from 'kysely'

/** Written as a Date or an ISO text, read as a Date. */
export type Instant = ColumnType<Date, Date | string, Date | string>
export type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** JSON goes in as text that we wrote ourselves: PostgreSQL arrays and JSON arrays are easily mistaken for each other. */
export type Json<T extends object> = JSONColumnType<T>
export type JsonOrNull<T extends object> = ColumnType<T | null, string | null | undefined, string | null>
/** A row's unit: written once, so that no update moves a row to another unit. */
export type UnitId = ColumnType<string, string, never>
