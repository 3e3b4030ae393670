import type { ViewedList } from '#common/views/views.ts'
import type { Instant, Json, UnitId } from '#server/database/columns.ts'

/** The parameters and the hidden columns are those that the list's own call has checked. */
export type StoredView = {
  business_unit_id: UnitId
  user_id: string
  id: string
  slot: number
  list: ViewedList
  name: string
  params: Json<Record<string, string>>
  hidden: string[]
  created_at: Instant
}

type ViewTables = { policy_views: StoredView }

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends ViewTables {}
}
