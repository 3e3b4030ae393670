import type { ProfileChange } from '#common/agency/schemas.ts'
import type { Instant, Json, UnitId } from '#server/database/columns.ts'

type AgencyTables = {
  business_unit_changes: {
    business_unit_id: UnitId
    version: number
    at: Instant
    user_id: string | null
    changes: Json<ProfileChange[]>
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends AgencyTables {}
}
