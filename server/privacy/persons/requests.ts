import { sql } from 'kysely'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/privacy/calls.ts'
import { answerDue } from '#common/privacy/days.ts'
import type { World } from '#server/kit/app-context.ts'
import { type PrivacyTx, within } from '#server/kit/database.ts'
import { offsetOf, pagesOf } from '#server/kit/paging.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, scopeOf } from '#server/session/public.ts'
import { deleteCopies } from '../retention/batches.ts'
import { dayOf } from './judge.ts'

type Request = ResponseSentOf<typeof calls.extendPersonRequest>
type Row = Pick<Request, 'kind' | 'reason' | 'extension' | 'closing' | 'outcome'> & {
  id: string
  unit: string
  brand: string
  asked_by: Request['askedBy']
  at: Date
  received_on: string
  due_on: string
  done_at: Date | null
  expires_at: Date | null
  spent_at: Date | null
  letter: boolean
}

export const listPersonRequests =
  (world: World): Handler<typeof calls.listPersonRequests> =>
  ({ ask }) =>
    world.database.asPrivacy(async tx => {
      const inState = { open: sql`done_at is null`, done: sql`done_at is not null`, all: sql`true` }[ask.state]
      const which = sql`${inState} and (${ask.businessUnitUuid ?? null}::uuid is null or person_requests.business_unit_id = ${ask.businessUnitUuid ?? null}::uuid)`
      const { rows: counted } = await sql<{ total: number }>`select count(*)::bigint as total from person_requests where ${which}`.execute(
        tx,
      )
      const requests = await rowsOf(tx, which, sql`limit ${ask.perPage} offset ${offsetOf(ask)}`)
      return { ...pagesOf(counted[0]?.total ?? 0, ask), requests }
    })

/** Extends the time of an answer, once. The law gives a month, and two more where a request is complex. */
export const extendPersonRequest =
  (world: World): Handler<typeof calls.extendPersonRequest> =>
  input =>
    world.database.asPrivacy(async tx => {
      const { uuid, months, reason } = input.ask
      const one = sql`person_requests.id = ${uuid}`
      const [request] = await rowsOf(tx, one)
      if (!request) throw new Refusal('request.not_found')
      if (request.doneAt !== null || request.extension !== null) throw new Refusal('request.conflict')
      // The person must be informed within the first month.
      const businessUnitId = request.businessUnit.uuid
      const { today } = await dayOf(world, within(tx, scopeOf(businessUnitId)))
      if (request.dueOn < today) throw refuseFields([{ path: 'months', rule: 'past', key: 'privacy.extend_late' }])
      await sql`
        update person_requests set due_on = ${answerDue(request.receivedOn, months)}::date, extension = ${reason}
        where ${one} and done_at is null and extension is null`.execute(tx)
      await audit(world, tx, input, {
        action: 'privacy.extended',
        outcome: 'done',
        businessUnitId,
        object: uuid,
        reason,
        details: { months },
      })
      const [extended] = await rowsOf(tx, one)
      if (!extended) throw new Refusal('request.not_found')
      return extended
    })

/** Closes a request that stopped half-way or was partly refused. A copy that is not made yet never will be. */
export const closePersonRequest =
  (world: World): Handler<typeof calls.closePersonRequest> =>
  input =>
    world.database.asPrivacy(async tx => {
      const { uuid, reason } = input.ask
      const one = sql`person_requests.id = ${uuid}`
      const [request] = await rowsOf(tx, one)
      if (!request) throw new Refusal('request.not_found')
      const businessUnitId = request.businessUnit.uuid
      const unit = within(tx, scopeOf(businessUnitId))
      const copies = await unit.selectFrom('person_copies').select('id').where('request_id', '=', uuid).forUpdate().execute()
      const closed = await unit
        .updateTable('person_requests')
        .set({ done_at: world.clock.now(), closing: reason })
        .where('id', '=', uuid)
        .where('done_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (!closed) throw new Refusal('request.conflict')
      if (copies.length > 0)
        await deleteCopies(
          world,
          unit,
          copies.map(({ id }) => id),
        )
      await audit(world, tx, input, { action: 'privacy.closed', outcome: 'done', businessUnitId, object: uuid, reason })
      const [after] = await rowsOf(tx, one)
      if (!after) throw new Refusal('request.not_found')
      return after
    })

/** Reads requests: the open ones first, by their last day, then the newest. */
async function rowsOf(tx: PrivacyTx, which: ReturnType<typeof sql>, page = sql``): Promise<Request[]> {
  const { rows } = await sql<Row>`
    select person_requests.id, person_requests.business_unit_id as unit, unit.settings->>'brandName' as brand, kind, asked_by, reason, at, received_on::text, due_on::text, extension, closing,
      done_at, outcome, case when done_at is not null then copy.expires_at end as expires_at, copy.spent_at, outcome is not null and locale is not null as letter
    from person_requests join business_units as unit on unit.id = person_requests.business_unit_id
      left join person_copies as copy on copy.business_unit_id = person_requests.business_unit_id and copy.request_id = person_requests.id
    where ${which}
    order by done_at is not null, case when done_at is null then due_on end, at desc, person_requests.id ${page}`.execute(tx)
  return rows.map(
    ({
      id,
      unit,
      brand,
      asked_by: askedBy,
      at,
      received_on: receivedOn,
      due_on: dueOn,
      done_at: doneAt,
      expires_at: expiresAt,
      spent_at: spentAt,
      ...rest
    }) => ({
      ...rest,
      uuid: id,
      businessUnit: { uuid: unit, brandName: brand },
      askedBy,
      at: at.toISOString(),
      receivedOn,
      dueOn,
      doneAt: doneAt?.toISOString() ?? null,
      copy: expiresAt && { expiresAt: expiresAt.toISOString(), spentAt: spentAt?.toISOString() ?? null },
    }),
  )
}
