import type { Quote, TripSent } from '#common/quotes/schemas.ts'
import type { Instant, Json, UnitId } from '#server/database/columns.ts'

type QuoteTables = {
  quotes: {
    business_unit_id: UnitId
    id: string
    user_id: string
    product_id: string
    tariff_version: string
    created_at: Instant
    valid_until: Instant
    question: Json<TripSent>
    answer: Json<Quote>
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends QuoteTables {}
}
