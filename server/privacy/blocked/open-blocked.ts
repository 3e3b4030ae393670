import { sql } from 'kysely'
import { fromCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/privacy/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import { within } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, scopeOf } from '#server/session/public.ts'
import { factsOfPolicies } from '../copy/read.ts'
import { opened } from '../sealed.ts'
import type { Cause } from '../tables.ts'

type Row = { unit: string; brand: string; cause: Cause; blocked_at: Date; until: string; sealed: Buffer; sealed_by: string }

/** Decrypts the blocked data of one object. The view is audited with its reason before anything is shown. */
export const openBlocked =
  (world: World): Handler<typeof calls.openBlocked> =>
  input => {
    const { kind, uuid, reason } = input.ask
    return world.database.asPrivacy(async tx => {
      const { rows } = await sql<Row>`
        select business_unit_id as unit, unit.settings->>'brandName' as brand, cause, blocked_at, until::text, sealed, sealed_by
        from blocked_data join business_units as unit on unit.id = blocked_data.business_unit_id
        where kind = ${kind} and object_id = ${uuid}`.execute(tx)
      const [row] = rows
      if (!row) throw new Refusal('request.not_found')
      await audit(world, tx, input, { action: 'privacy.opened', outcome: 'done', businessUnitId: row.unit, object: uuid, reason })
      const policy = kind === 'policy' ? (await factsOfPolicies(within(tx, scopeOf(row.unit)), [uuid]))[0] : undefined
      return {
        policy: policy
          ? {
              number: policy.number ?? '',
              product: policy.product_name,
              startDate: policy.start_date,
              endDate: policy.end_date,
              currency: policy.currency,
              total: fromCents(policy.total_cents),
            }
          : null,
        businessUnit: { uuid: row.unit, brandName: row.brand },
        cause: row.cause,
        blockedAt: row.blocked_at.toISOString(),
        until: row.until,
        content: opened(world.secrets, { kind, objectId: uuid, sealed: row.sealed, sealedBy: row.sealed_by }),
      }
    })
  }
