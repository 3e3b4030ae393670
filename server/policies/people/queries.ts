import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import type { PersonSought } from '#common/policies/person-sought.ts'
import { identificationTypes } from '#common/policies/people.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { NumberSought } from '#server/kit/sealed/document-numbers.ts'
import type { PolicyTables } from '../tables.ts'

/** The most people in one response. */
const maxPeople = 8

/** A person as stored. */
type StoredPerson = Selectable<PolicyTables['policy_people']>

/** Selects the people of any of these numbers in a unit, by the indexes of the hash and of numbers that are still in clear. */
export const peopleNumbered = (unitId: string, numbers: readonly NumberSought[]): RawBuilder<StoredPerson> => sql`(
  select * from policy_people where business_unit_id = ${unitId} and document_hash = any(${numbers.flatMap(({ hashes }) => hashes)}::bytea[])
  union all
  select * from policy_people where business_unit_id = ${unitId} and document_number = any(${numbers.map(({ stored }) => stored)}::text[]))`

/** True for the row of a person with this number. */
const isNumbered = ({ hashes, stored }: NumberSought) =>
  sql`(coalesce(document_hash = any(${hashes}::bytea[]), false) or coalesce(document_number = ${stored}, false))`

export type PeopleFilter = {
  /** The whole number, or the beginning of the searchable name. */
  by: { number: NumberSought } | { prefix: string }
  company: boolean
  /** The visible statuses, and the seller if only own sales are visible. */
  statuses: StoredStatus[]
  own: string | undefined
}

/** The rows read for a common name. Typing more letters finds the others. */
const maxRead = 500
/** The newest own policies of each status that are searched. */
const maxOwn = 1000

type Source = RawBuilder<StoredPerson>

/**
 * Selects each person once, from the newest policy, preferring policies that they took out. Prefixes are compared by order and not by LIKE,
 * for which row-level security prevents the use of an index.
 */
export function peopleKnown(scope: Scope, filter: PeopleFilter): RawBuilder<StoredPerson> {
  const { own, by, company } = filter
  const columns = company ? ['name_sort'] : ['name_sort', 'given_sort']
  const sources = 'number' in by ? [numbered(scope, filter, by.number)] : columns.map(column => named(scope, filter, by.prefix, column))
  return sql<StoredPerson>`
    with ${own !== undefined && 'prefix' in by ? mine(scope, filter, own) : sql``} found as materialized (${sql.join(sources, sql` union all `)})
    select * from (
      select distinct on (document_hash, document_number) found.* from found
      join policies on policies.business_unit_id = found.business_unit_id and policies.id = found.policy_id and policies.version = found.version
      where policies.business_unit_id = ${scope.businessUnitId} and policies.status = any(${filter.statuses})
        and policies.seller_id = coalesce(${own ?? null}::uuid, policies.seller_id)
      order by document_hash, document_number, holder desc, policy_id desc
    ) as known
    order by name_sort, policy_id desc, position limit ${maxPeople}`
}

const numbered = (scope: Scope, filter: PeopleFilter, number: NumberSought): Source => sql`(
  select * from ${peopleNumbered(scope.businessUnitId, [number])} as numbered where ${isOfKind(filter)} limit ${maxRead})`

const named = (scope: Scope, filter: PeopleFilter, prefix: string, column: string): Source =>
  filter.own === undefined
    ? sql`(select * from policy_people where business_unit_id = ${scope.businessUnitId} and ${begins(filter, prefix, column)}
        order by ${sql.ref(column)} limit ${maxRead})`
    : sql`(select policy_people.* from mine
        join policy_people on policy_id = mine.id and policy_people.version = mine.version
        where business_unit_id = ${scope.businessUnitId} and ${begins(filter, prefix, column)})`

/** Selects own policies first, as scanning every namesake would be slower. */
const mine = (scope: Scope, { statuses }: PeopleFilter, own: string) => sql`mine as materialized (
  select newest.id, newest.version from unnest(${statuses}::text[]) as each (status)
  cross join lateral (
    select id, version from policies
    where business_unit_id = ${scope.businessUnitId} and seller_id = ${own} and status = each.status
    order by created_at desc, id desc limit ${maxOwn}) as newest), `

const begins = (filter: PeopleFilter, prefix: string, column: string) => sql`
  ${sql.ref(column)} >= ${prefix} and ${sql.ref(column)} < ${`${prefix}\u{10ffff}`}
  and (document_hash is not null or document_number is not null) and ${isOfKind(filter)}`

const isOfKind = ({ company }: PeopleFilter) =>
  sql`identification_type_id = ${company ? identificationTypes.company : identificationTypes.person}`

/** The people that are looked for, with the number as it is stored. */
export type PeopleSought = Omit<PersonSought, 'document'> & { unitId: string; document: NumberSought | null }

/** Selects the policies of these people by index, each once (0039-people-search.sql, 0099-sealed-numbers.sql). */
export const peopleFound = ({ unitId, document, email, phones }: PeopleSought) =>
  sql`(select policies.* from people_found(${document?.hashes ?? []}::bytea[], ${document?.stored ?? null}, ${email}, ${phones.map(({ digits }) => digits)}::text[],
      ${phones.map(({ prefix }) => prefix)}::text[]) as person
    join policies on policies.business_unit_id = person.business_unit_id and policies.id = person.policy_id and policies.version = person.version
    where policies.business_unit_id = ${unitId})`

/** True for a row of `policies` with one of these people. Reads that policy's people. */
export function hasPerson({ unitId, document, email, phones }: PeopleSought): RawBuilder<SqlBool> {
  const any = phones.map(
    ({ digits, prefix }) => sql`(starts_with(phone_digits(coalesce(phone_prefix, ''), phone_number), ${digits})
      and (${prefix}::text is null or regexp_replace(phone_prefix, '\\D', '', 'g') = ${prefix}))`,
  )
  if (document !== null) any.push(isNumbered(document))
  if (email !== null) any.push(sql`starts_with(lower(email), ${email})`)
  return sql`exists (select from policy_people as person where person.business_unit_id = ${unitId}
    and person.policy_id = policies.id and person.version = policies.version and (${sql.join(any, sql` or `)}))`
}

type InsuredFilter = {
  productUUID: string
  startDate: string
  endDate: string
  numbers: NumberSought[]
  named: { name: string; birthDate: string }[]
  own: string | undefined
}

export type PolicyOfInsured = { id: string; number: string; start_date: string; end_date: string; positions: number[]; people: string[] }

/** The most policies in one response. */
const maxInsured = 10

/** Selects sold policies of a product that insure any of these travellers on any of these days, by index, with those travellers. */
export function peopleInsured(scope: Scope, { productUUID, startDate, endDate, numbers, named, own }: InsuredFilter) {
  const unit = scope.businessUnitId
  const birthDates = named.map(({ birthDate }) => birthDate)
  return sql<PolicyOfInsured>`
    select policies.id, policies.number, policies.start_date, policies.end_date, array_agg(person.position order by person.position) as positions,
      array_agg(concat_ws(' ', nullif(person.name, ''), nullif(person.middle_name, ''), nullif(nullif(person.last_name, ''), '-')) order by person.position) as people
    from (
      select * from ${peopleNumbered(unit, numbers)} as numbered where traveller
      union
      select people.* from unnest(${named.map(({ name }) => name)}::text[], ${birthDates}::date[]) as wanted (name, birth_date)
      join policy_people as people on people.name_sort = wanted.name collate "C" and people.birth_date = wanted.birth_date
      where people.business_unit_id = ${unit} and people.traveller
    ) as person
    join policies on policies.business_unit_id = person.business_unit_id and policies.id = person.policy_id and policies.version = person.version
    where policies.business_unit_id = ${unit} and policies.status = 'purchased' and policies.product_id = ${productUUID}
      and policies.start_date <= ${endDate}::date and policies.end_date >= ${startDate}::date
      and policies.seller_id = coalesce(${own ?? null}::uuid, policies.seller_id)
    group by policies.id, policies.number, policies.start_date, policies.end_date
    order by policies.start_date, policies.id limit ${maxInsured}`
}

/** The newest policies of a person that are read, and the most people in one response. */
const maxPolicies = 20
const maxCompanions = 8
/** The most travellers of a party that knows each other. Groups of schools or clubs are larger. */
const maxParty = 9

/**
 * Selects the people who were insured by sold policies together with the person of this document, each once, as in their newest one. A name and a birth
 * date recognise them, because a child has no document and a passport gets a new number. The document is looked up first, as the planner would
 * otherwise sometimes read all policies from the newest.
 */
export const companionsOf = (scope: Scope, { number, own }: { number: NumberSought; own: string | undefined }) => sql<StoredPerson>`
  with person as materialized (
    select policy_id, version from ${peopleNumbered(scope.businessUnitId, [number])} as numbered
  ), shared as materialized (
    select distinct policies.created_at, policies.id, policies.version from person
    join policies on policies.id = person.policy_id and policies.version = person.version
    join policy_versions as now on now.business_unit_id = policies.business_unit_id and now.policy_id = policies.id and now.version = policies.version
    where policies.business_unit_id = ${scope.businessUnitId} and policies.status = 'purchased'
      and policies.seller_id = coalesce(${own ?? null}::uuid, policies.seller_id) and now.pax_number <= ${maxParty}
    order by policies.created_at desc, policies.id desc limit ${maxPolicies})
  select * from (
    select distinct on (name_sort, birth_date) people.*, shared.created_at as last_at, count(*) over (partition by name_sort, birth_date) as times
    from shared
    join policy_people as people on people.policy_id = shared.id and people.version = shared.version
    where people.business_unit_id = ${scope.businessUnitId} and people.traveller and not ${isNumbered(number)}
    order by name_sort, birth_date, shared.created_at desc, people.position
  ) as companions
  order by times desc, last_at desc, position limit ${maxCompanions}`
