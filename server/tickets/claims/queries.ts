import { sql } from 'kysely'
import type { UnitTx } from '#server/kit/database.ts'
import { numberIn, type StoredNumber } from '#server/kit/sealed/document-numbers.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'

/** A claim with its policy, as both were at the end of a month. */
export type ClaimOfMonth = {
  id: string
  reference: string
  cause: string
  step: number
  status: string
  misfiled: boolean
  filed_now: boolean
  filed_on: string
  changed_on: string
  incident_on: string
  product: string | null
  certificate: string | null
  version: number | null
  start_date: string | null
  end_date: string | null
  /** The person's document number, or another value that identifies them. */
  person: string
  residence_country: number | null
}

/** A claim with what identifies the person who took out its policy, whose document number may be encrypted. */
type ClaimRead = Omit<ClaimOfMonth, 'person'> & StoredNumber & { policy_id: string | null; person_id: string | null }

type Window = { from: Date; until: Date; timeZone: string }

/** Selects the last step in a month of each claim that was filed or changed in it. */
const lastSteps = (tx: UnitTx, { from, until }: Window) => sql`
  select distinct on (ticket_id) ticket_id, position, at, status, misfiled from claim_steps
  where business_unit_id = ${tx.businessUnitId} and at >= ${from} and at < ${until}`

/** Returns claims that were filed or changed in a month, in the order of their ids, after the last claim of the batch before. */
export async function claimsAfter(
  secrets: Secrets,
  tx: UnitTx,
  window: Window,
  after: string | undefined,
  limit: number,
): Promise<ClaimOfMonth[]> {
  const unit = tx.businessUnitId
  const { from, until, timeZone } = window
  const dayOf = (instant: ReturnType<typeof sql.ref>) => sql`to_char(${instant} at time zone ${timeZone}, 'YYYY-MM-DD')`
  const { rows } = await sql<ClaimRead>`
    with step as materialized (${lastSteps(tx, window)}
      ${after === undefined ? sql`` : sql`and ticket_id > ${after}::uuid`} order by ticket_id, position desc limit ${limit})
    select ticket.id, ticket.reference, ticket.type_key as cause, step.position as step, step.status, step.misfiled,
      ticket.created_at >= ${from} as filed_now, ${dayOf(sql.ref('ticket.created_at'))} as filed_on, ${dayOf(sql.ref('step.at'))} as changed_on,
      to_char(ticket.incident_date, 'YYYY-MM-DD') as incident_on, products.code as product, ticket.policy_number as certificate, version.version,
      version.start_date, version.end_date, ticket.policy_id, holder.document_number, holder.sealed, holder.sealed_by, holder.person_id, holder.residence_country
    from step
    join tickets as ticket on ticket.business_unit_id = ${unit} and ticket.id = step.ticket_id
    left join policies as policy on policy.business_unit_id = ${unit} and policy.id = ticket.policy_id
    left join products on products.id = policy.product_id
    left join lateral (
      select version, content#>>'{trip,startDate}' as start_date, content#>>'{trip,endDate}' as end_date
      from policy_versions where business_unit_id = ${unit} and policy_id = ticket.policy_id
      order by at < ${until} desc, case when at < ${until} then version else -version end desc limit 1) as version on true
    left join lateral (
      select document_number, sealed, sealed_by, person_id, residence_country from policy_people
      where business_unit_id = ${unit} and policy_id = ticket.policy_id and version = version.version and holder
      order by position limit 1) as holder on true
    order by ticket.id`.execute(tx)
  return rows.map(({ policy_id, person_id, document_number, sealed, sealed_by, ...claim }) => {
    const number = policy_id === null ? null : numberIn(secrets, policy_id, { document_number, sealed, sealed_by })
    return { ...claim, person: (number || person_id) ?? policy_id ?? claim.id }
  })
}

/** Stores the state that a claim has reached, for the bordereau of its month. The ticket's row must be locked. */
export async function noteClaimStep(tx: UnitTx, { id, kind }: { id: string; kind: string }): Promise<void> {
  if (kind !== 'claim') return
  await sql`
    insert into claim_steps (business_unit_id, ticket_id, position, at, status, misfiled)
    select business_unit_id, id, 1 + (select count(*) from claim_steps as step
      where step.business_unit_id = tickets.business_unit_id and step.ticket_id = tickets.id), updated_at, status, misfiled
    from tickets where business_unit_id = ${tx.businessUnitId} and id = ${id}::uuid`.execute(tx)
}

/** Returns the state of the claims on a policy that were not filed by mistake: open if one is. Undefined without a claim. */
export async function claimOf(tx: UnitTx, policyId: string): Promise<'open' | 'closed' | undefined> {
  const { closed } = await tx
    .selectFrom('tickets')
    .where('policy_id', '=', policyId)
    .where('kind', '=', 'claim')
    .where('misfiled', '=', false)
    .select(sql<boolean | null>`bool_and(status = 'closed')`.as('closed'))
    .executeTakeFirstOrThrow()
  return closed === null ? undefined : closed ? 'closed' : 'open'
}
