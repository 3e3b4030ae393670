import { sql } from 'kysely'
import { addDays } from '#common/kit/dates.ts'
import { taskKinds } from '#common/policies/schemas/day.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import type { UnitTx } from '#server/kit/database.ts'

const limit = 5

export type Departures = { total: number; ids: string[] }

type DepartureFilter = { own: string | undefined; statuses: StoredStatus[]; from: string; to: string }

/** Returns the policies that depart in these days, the earliest first. */
export async function departing(tx: UnitTx, { own, statuses, from, to }: DepartureFilter): Promise<Departures> {
  let query = tx.selectFrom('policies').where('status', 'in', statuses).where('start_date', '>=', from).where('start_date', '<=', to)
  if (own !== undefined) query = query.where('seller_id', '=', own)
  const first = await query.select('id').orderBy('start_date').orderBy('id').limit(limit).execute()
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { total, ids: first.map(({ id }) => id) }
}

const maxTasks = 20

/** Days after which a link is answered hardly ever. A price stands thirty at most, but a quote may be saved again. */
const longestLink = 90

export type Task = {
  id: string
  kind: (typeof taskKinds)[number]
  status: StoredStatus
  taker: string
  product_id: string
  product_name: string
  start_date: string
  total_cents: number
  until: Date | null
}

type TaskFilter = {
  userId: string
  own: string | undefined
  unsold: StoredStatus[]
  visible: StoredStatus[]
  from: string
  to: string
  since: Date
  timeZone: string
}

/**
 * Returns the tasks of these days, one per policy. They are quotes and unpaid sales whose trip begins, quotes by link whose price ends, new renewals,
 * sales whose card was declined, policies whose email was refused, and the user's unseen notices. The most urgent kind names the task; the highest
 * amounts come first. A quote is none if its client bought another one of a link.
 * A paid change is worth its charge, and a withdrawal its refund.
 */
export async function tasksOf(tx: UnitTx, { userId, own, unsold, visible, from, to, since, timeZone }: TaskFilter) {
  const unit = tx.businessUnitId
  const columns = sql`policies.id, policies.status, policies.start_date, policies.total_cents, policies.taker, policies.product_id, policies.product_name`
  const dayAfter = (days: number) => sql`(${addDays(from, days)}::date)::timestamp at time zone ${timeZone}`
  const isOwn = own === undefined ? sql`true` : sql`policies.seller_id = ${own}`
  const { rows } = await sql<Task & { total: number; amount: number }>`
    with unsold as (
      select ${columns} from policies where business_unit_id = ${unit} and status = any(${unsold}::text[]) and ${isOwn}
        and start_date between ${from} and ${to}
      union
      select ${columns} from policies where business_unit_id = ${unit} and status = 'pending' and status = any(${unsold}::text[]) and ${isOwn}
        and created_at >= ${since} and start_date >= ${from}),
    sales as (
      select unsold.*, status = 'pending' and exists (
        select from payments join payment_events on payment_events.business_unit_id = payments.business_unit_id
          and payment_events.intent_id = payments.intent_id and payment_events.kind = 'payment_intent.payment_failed' and payment_events.at >= ${since}
        where payments.business_unit_id = ${unit} and payments.policy_id = unsold.id and payments.state = 'open') as declined
      from unsold),
    tasks as (
      select id, case when declined then 'declined' when status = 'pending' then 'unpaid' else 'lapsing' end as kind, total_cents as open_cents,
        status, total_cents, taker, product_id, product_name, start_date, null::timestamptz as until
      from sales where declined or start_date <= ${to}
      union all
      select id, 'renewal', total_cents, status, total_cents, taker, product_id, product_name, start_date, null
      from policies where business_unit_id = ${unit} and status = 'budgeted' and status = any(${unsold}::text[]) and ${isOwn}
        and renews is not null and created_at >= ${since}
      union all
      select policies.id, 'quote_ending', policies.total_cents, policies.status, policies.total_cents, policies.taker, policies.product_id,
        policies.product_name, policies.start_date, policies.price_valid_until
      from quote_links link
        join quote_link_policies offered on offered.business_unit_id = link.business_unit_id and offered.link_id = link.id
        join policies on policies.business_unit_id = offered.business_unit_id and policies.id = offered.policy_id
      where link.business_unit_id = ${unit} and link.at >= ${dayAfter(-longestLink)} and link.decision is null and link.revoked_at is null
        and policies.status = 'budgeted' and policies.status = any(${unsold}::text[]) and ${isOwn}
        and policies.price_valid_until >= ${dayAfter(-1)} and policies.price_valid_until < ${dayAfter(1)}
        and not exists (select from quote_link_policies mine
          join quote_links answered on answered.business_unit_id = mine.business_unit_id and answered.id = mine.link_id
          where mine.business_unit_id = ${unit} and mine.policy_id = policies.id and answered.decision is not null)
      union all
      select policies.id, 'mail', 0, policies.status, policies.total_cents, policies.taker, policies.product_id, policies.product_name,
        policies.start_date, null
      from mails join policies on policies.business_unit_id = mails.business_unit_id and policies.id = mails.about
      where mails.business_unit_id = ${unit} and mails.state = 'refused' and mails.at >= ${since}
        and policies.status = any(${visible}::text[]) and ${isOwn}
      union all
      select policies.id, notice.kind, 0, policies.status,
        coalesce((select max(case notice.kind when 'withdrawn' then movement.refund_cents else movement.charge_cents end)
          from policy_deeds movement where movement.business_unit_id = policies.business_unit_id and movement.policy_id = policies.id
            and case notice.kind when 'withdrawn' then movement.kind = 'withdrawal' when 'offer_paid' then movement.at = notice.at end),
          policies.total_cents),
        policies.taker, policies.product_id, policies.product_name, policies.start_date, null
      from policy_notices notice join policies on policies.business_unit_id = notice.business_unit_id and policies.id = notice.policy_id
      where notice.business_unit_id = ${unit} and notice.user_id = ${userId} and policies.status = any(${visible}::text[]) and ${isOwn}),
    each as (
      select distinct on (id) * from tasks
      where status <> 'budgeted' or not exists (
        select from quote_link_policies mine
          join quote_link_policies other on other.business_unit_id = mine.business_unit_id and other.link_id = mine.link_id
          join policies sold on sold.business_unit_id = other.business_unit_id and sold.id = other.policy_id
        where mine.business_unit_id = ${unit} and mine.policy_id = tasks.id and sold.status in ('purchased', 'cancelled'))
      order by id, array_position(${[...taskKinds]}::text[], kind))
    select id, kind, status, taker, product_id, product_name, start_date, total_cents, until, count(*) over ()::int as total, (sum(open_cents) over ())::bigint as amount
    from each order by total_cents desc, id limit ${maxTasks}`.execute(tx)
  return { total: rows[0]?.total ?? 0, amount: rows[0]?.amount ?? 0, tasks: rows }
}

/** Returns emails about visible policies that were not delivered, the newest first. */
export async function failedMails(
  tx: UnitTx,
  { own, statuses, since }: { own: string | undefined; statuses: StoredStatus[]; since: Date },
) {
  if (statuses.length === 0) return { total: 0, mails: [] }
  let query = tx
    .selectFrom('mails')
    .innerJoin('policies', join =>
      join.onRef('policies.business_unit_id', '=', 'mails.business_unit_id').onRef('policies.id', '=', 'mails.about'),
    )
    .where('mails.state', '=', 'refused')
    .where('mails.at', '>=', since)
    .where('policies.status', 'in', statuses)
  if (own !== undefined) query = query.where('policies.seller_id', '=', own)
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const mails = await query
    .select(['mails.id', 'mails.at', 'mails.recipient_address', 'mails.subject', 'policies.id as about', 'policies.status'])
    .orderBy('mails.at', 'desc')
    .limit(limit)
    .execute()
  return { total, mails }
}

/** `of` is a month (YYYY-MM), or the id of a product or seller, whose names need not be unique. */
export type SalesCount = { kind: 'month' | 'product' | 'seller'; of: string; policies: number; cents: number; earnedCents: number }

/** Counts the sales since a month (YYYY-MM) by month, product and seller, in one query. */
export async function soldSince(
  tx: UnitTx,
  { own, first, timeZone }: { own: string | undefined; first: string; timeZone: string },
): Promise<SalesCount[]> {
  const { rows } = await sql<SalesCount>`
    select case when grouping(month) = 0 then 'month' when grouping(product_id) = 0 then 'product' else 'seller' end as kind,
      coalesce(month, product_id::text, seller_id::text) as of, count(*)::int as policies, sum(total_cents)::bigint as cents,
      sum(commission_cents)::bigint as "earnedCents"
    from (
      select to_char(purchased_at at time zone ${timeZone}, 'YYYY-MM') as month, product_id, seller_id, total_cents, commission_cents
      from policies
      where business_unit_id = ${tx.businessUnitId} and status = 'purchased' 
        and seller_id = coalesce(${own ?? null}::uuid, seller_id)
        and purchased_at >= (${`${first}-01`}::date)::timestamp at time zone ${timeZone}
    ) sold
    group by grouping sets ((month), (product_id), (seller_id))
    order by cents desc`.execute(tx)
  return rows
}

/** Returns the name that each product or seller had at its last sale. */
export async function lastNames(tx: UnitTx, kind: 'product' | 'seller', ids: string[]): Promise<Map<string, string>> {
  const [id, name] = [sql.ref(`${kind}_id`), sql.ref(`${kind}_name`)]
  const { rows } = await sql<{ id: string; name: string }>`
    select wanted.id, last.name
    from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select ${name} as name from policies
      where business_unit_id = ${tx.businessUnitId} and status = 'purchased' and ${id} = wanted.id
      order by ${kind === 'product' ? sql`id` : sql`created_at`} desc limit 1
    ) as last`.execute(tx)
  return new Map(rows.map(row => [row.id, row.name]))
}
