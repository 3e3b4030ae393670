import { type RawBuilder, type Selectable, sql } from 'kysely'
import { identificationTypes } from '#common/policies/types.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { PolicyTables, StoredStatus } from '../tables.ts'

/** The most people in one reply. */
const mostKnown = 8

export type KnownPerson = Selectable<PolicyTables['policy_people']>

export type Wanted = {
  by: 'document' | 'name'
  /** As the database keeps it: upper-case, or searchable. */
  beginning: string
  company: boolean
  /** In policies of which status, and only in one's own, where a permission narrows to them. */
  statuses: StoredStatus[]
  own: string | undefined
}

/** However many are called García, no more rows than this are read; who types on meets the rest. */
const mostRead = 500
/** Of one's own, the newest policies of each status. */
const mostOwn = 1000

type Source = RawBuilder<KnownPerson>

/**
 * Each person once, as the newest policy has him, or the newest that he took out. Beginnings are compared by order and not by LIKE, which an
 * index does not answer under row-level security.
 */
export function peopleKnown(scope: Scope, wanted: Wanted): RawBuilder<KnownPerson> {
  const columns = wanted.by === 'document' ? ['document_number'] : wanted.company ? ['name_sort'] : ['name_sort', 'given_sort']
  const { own } = wanted
  const sources = columns.map(column => (own === undefined ? fromAll : fromOwn)(scope, wanted, column))
  return sql<KnownPerson>`
    with ${own === undefined ? sql`` : mine(scope, wanted, own)} found as materialized (${sql.join(sources, sql` union all `)})
    select * from (
      select distinct on (document_number) found.* from found
      join policies on policies.business_unit_id = found.business_unit_id and policies.id = found.policy_id and policies.version = found.version
      where policies.business_unit_id = ${scope.businessUnitId} and policies.status = any(${wanted.statuses})
      order by document_number, holder desc, policy_id desc
    ) as known
    order by ${sql.ref(columns[0] ?? '')}, document_number limit ${mostKnown}`
}

const fromAll = (scope: Scope, wanted: Wanted, column: string): Source => sql`(
  select * from policy_people where business_unit_id = ${scope.businessUnitId} and ${isMeant(wanted, column)}
  order by ${sql.ref(column)} limit ${mostRead})`

/** Read once: these policies, and not each of all who are called so, are what there is to go through. */
const mine = (scope: Scope, { statuses }: Wanted, own: string) => sql`mine as materialized (
  select newest.id, newest.version from unnest(${statuses}::text[]) as each (status)
  cross join lateral (
    select id, version from policies
    where business_unit_id = ${scope.businessUnitId} and seller_id = ${own} and status = each.status
    order by created_at desc, id desc limit ${mostOwn}) as newest), `

const fromOwn = (scope: Scope, wanted: Wanted, column: string): Source => sql`(
  select policy_people.* from mine
  join policy_people on policy_id = mine.id and policy_people.version = mine.version
  where business_unit_id = ${scope.businessUnitId} and ${isMeant(wanted, column)})`

function isMeant({ beginning, company }: Wanted, column: string) {
  const type = company ? identificationTypes.company : identificationTypes.person
  const beyond = `${beginning}\u{10ffff}`
  return sql`${sql.ref(column)} >= ${beginning} and ${sql.ref(column)} < ${beyond}
    and document_number is not null and identification_type_id = ${type}`
}
