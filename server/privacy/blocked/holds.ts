import { type RawBuilder, sql } from 'kysely'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/privacy/calls.ts'
import { holdProblems } from '#common/privacy/days.ts'
import { pagesOf } from '#server/kit/paging.ts'
import type { World } from '#server/kit/app-context.ts'
import { type PrivacyTx, within } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, scopeOf } from '#server/session/public.ts'
import { dayOf } from '../persons/judge.ts'

type Hold = ResponseSentOf<typeof calls.holdData>
type Row = { id: string; unit: string; brand: string; kind: 'policy' | 'ticket'; object_id: string; number: string | null } & {
  until: string
  reason: string
  by: string
  at: Date
}

const heldOf = { policy: sql`policies where sold_version is not null and erased_at is null`, ticket: sql`tickets where true` }

/**
 * Holds a policy or ticket that is not erased yet. It locks the object first, as the retention does before it checks holds. Either the retention sees
 * the hold, or this call waits and finds nothing to hold.
 */
export const holdData =
  (world: World): Handler<typeof calls.holdData> =>
  input => {
    const { ask, caller } = input
    return world.database.asPrivacy(async tx => {
      const businessUnitId = await lockObject(tx, ask)
      const { today } = await dayOf(world, within(tx, scopeOf(businessUnitId)))
      const problems = holdProblems(ask.until, today)
      if (problems.length > 0) throw refuseFields(problems)
      const id = world.ids.next()
      await sql`
        insert into holds (business_unit_id, id, kind, object_id, until, reason, user_id, at)
        values (${businessUnitId}, ${id}, ${ask.kind}, ${ask.uuid}, ${ask.until}::date, ${ask.reason}, ${caller.userId}, ${world.clock.now()})`.execute(
        tx,
      )
      const [hold] = await inForce(tx, sql`holds.id = ${id}`, world)
      if (!hold) throw new Error('a hold that was set is not in force')
      await audit(world, tx, input, {
        action: 'privacy.held',
        outcome: 'done',
        businessUnitId,
        object: ask.uuid,
        details: { until: ask.until },
      })
      return hold
    })
  }

/** Locks the object and returns its unit. The unit is found first, because a distributed database locks rows of a named unit only. */
async function lockObject(tx: PrivacyTx, { kind, uuid }: { kind: keyof typeof heldOf; uuid: string }): Promise<string> {
  const found = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<{ unit: string }>`
      select business_unit_id as unit from ${heldOf[kind]} and id = ${uuid} ${condition}`.execute(tx)
    if (!rows[0]) throw new Refusal('request.not_found')
    return rows[0].unit
  }
  return found(sql`and business_unit_id = ${await found(sql``)} for update`)
}

export const listHolds =
  (world: World): Handler<typeof calls.listHolds> =>
  ({ ask }) =>
    world.database.asPrivacy(async tx => {
      const all = await inForce(
        tx,
        ask.businessUnitUuid === undefined ? sql`true` : sql`holds.business_unit_id = ${ask.businessUnitUuid}`,
        world,
      )
      const from = (ask.page - 1) * ask.perPage
      return { ...pagesOf(all.length, ask), holds: all.slice(from, from + ask.perPage) }
    })

export const liftHold =
  (world: World): Handler<typeof calls.liftHold> =>
  input =>
    world.database.asPrivacy(async tx => {
      const { rows } = await sql<{ unit: string; object: string }>`
        update holds set lifted_at = ${world.clock.now()} where id = ${input.ask.uuid} and lifted_at is null
        returning business_unit_id as unit, object_id as object`.execute(tx)
      const [lifted] = rows
      if (!lifted) throw new Refusal('request.not_found')
      const { unit: businessUnitId, object } = lifted
      await audit(world, tx, input, { action: 'privacy.hold_lifted', outcome: 'done', businessUnitId, object, reason: input.ask.reason })
      return { lifted: true as const }
    })

/** Reads the holds that are in force on the agency's day, the first to end first. There are few: each is a lawsuit. */
async function inForce(tx: PrivacyTx, which: ReturnType<typeof sql>, { businessClock }: World): Promise<Hold[]> {
  const { rows } = await sql<Row>`
    select holds.id, holds.business_unit_id as unit, unit.settings->>'brandName' as brand, holds.kind, object_id, holds.until::text, holds.reason,
      coalesce(policy.number, ticket.reference) as number, coalesce(users.name, '') as by, holds.at
    from holds join business_units as unit on unit.id = holds.business_unit_id
    left join users on users.id = holds.user_id
    left join policies as policy on policy.business_unit_id = holds.business_unit_id and policy.id = object_id
    left join tickets as ticket on ticket.business_unit_id = holds.business_unit_id and ticket.id = object_id
    where lifted_at is null and holds.until >= (${businessClock.now()}::timestamptz at time zone (unit.settings->>'timeZone'))::date and ${which}
    order by holds.until, holds.id`.execute(tx)
  return rows.map(({ id, unit, brand, kind, object_id: objectUuid, number, until, reason, by, at }) => ({
    uuid: id,
    businessUnit: { uuid: unit, brandName: brand },
    kind,
    objectUuid,
    number,
    until,
    reason,
    by,
    at: at.toISOString(),
  }))
}
