import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Locale } from '#common/kit/locales.ts'
import { personFields, personFieldsWhere } from '#common/people/person.ts'
import { searchable } from '#common/kit/text.ts'
import { documentNumberCompared } from '#common/kit/validators/documents.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { PrivacyTx, PrivacyUnitTx, UnitTx } from '#server/kit/database.ts'
import { numberHashes, numberIn, type StoredNumber } from '#server/kit/sealed/document-numbers.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import type { Facts } from '../facts.ts'
import type { BlockedKind } from '../tables.ts'
import type { Person } from './key.ts'

/** A person in a policy, in each spelling that its versions have. */
export type Sighting = {
  policy_id: string
  document: string | null
  birth_date: string | null
  email: string | null
  name: string
  shown: string
}

/** The most sightings of a search. With more, the search needs more precise facts. */
const mostSightings = 2_000

/** A number that an older version stored, in the form for comparisons. */
const stored = sql`upper(regexp_replace(document_number, '[^[:alnum:]]', '', 'g'))`
const isNumbered = (secrets: Secrets, unitId: string, number: string) => sql<SqlBool>`
  (document_hash = any(${numberHashes(secrets, unitId, number)}::bytea[]) or document_number is not null and ${stored} = ${number})`
const beginning = (column: string, text: string) =>
  sql<SqlBool>`${sql.ref(column)} >= ${text} and ${sql.ref(column)} < ${`${text}\u{10ffff}`}`

/** Finds people of policies by all of these facts. Document, email and name have an index. */
export async function sightingsOf(secrets: Secrets, tx: PrivacyUnitTx, facts: Facts): Promise<Sighting[]> {
  const conditions: RawBuilder<SqlBool>[] = []
  if (facts.document !== null) conditions.push(isNumbered(secrets, tx.businessUnitId, facts.document))
  if (facts.email !== null) conditions.push(sql<SqlBool>`email is not null and lower(email) collate "C" = ${facts.email}`)
  if (facts.name !== null) conditions.push(sql<SqlBool>`(${beginning('given_sort', facts.name)} or ${beginning('name_sort', facts.name)})`)
  if (facts.birthDate !== null) conditions.push(sql<SqlBool>`birth_date = ${facts.birthDate}::date`)
  return sightings(secrets, tx, sql<SqlBool>`${sql.join(conditions, sql` and `)}`)
}

/** Finds every policy that a person is in, whatever the version. */
export const sightingsOfPerson = (secrets: Secrets, tx: PrivacyUnitTx, person: Person): Promise<Sighting[]> =>
  sightings(secrets, tx, isPerson(secrets, person))

const isPerson = (secrets: Secrets, person: Person): RawBuilder<SqlBool> =>
  person.document === null
    ? sql<SqlBool>`coalesce(given_sort, name_sort) = ${person.name} and birth_date is not distinct from ${person.birthDate}::date`
    : sql<SqlBool>`${isNumbered(secrets, person.unitId, person.document)} and birth_date is not distinct from ${person.birthDate}::date`

/** Returns the person's name and address in the newest policy that has an address. */
export async function contactOf(
  secrets: Secrets,
  tx: PrivacyUnitTx,
  person: Person,
): Promise<{ name: string; address: string } | undefined> {
  const { rows } = await sql<{ name: string; address: string }>`
    select concat_ws(' ', name, middle_name, nullif(last_name, '-'), company_name) as name, email as address
    from policy_people
    where business_unit_id = ${tx.businessUnitId} and ${isPerson(secrets, person)} and email <> ''
    order by policy_id desc, version desc limit 1`.execute(tx)
  return rows[0]
}

/** The texts that can be corrected. The birth date and the document number identify the person, so they are known. */
const texts = personFieldsWhere('corrected', true).filter(field => personFields[field].is === 'text')

/** Returns the facts of a person that a correction can change, as in the newest policy, without empty ones. */
export async function factsNow(secrets: Secrets, tx: PrivacyUnitTx, person: Person): Promise<Record<string, string>> {
  const facts = texts.map(field => sql`${sql.ref(personFields[field].column)} as ${sql.ref(field)}`)
  const { rows } = await sql<Record<string, string | null>>`
    select ${sql.join(facts)} from policy_people
    where business_unit_id = ${tx.businessUnitId} and ${isPerson(secrets, person)}
    order by policy_id desc, version desc limit 1`.execute(tx)
  return Object.fromEntries(Object.entries(rows[0] ?? {}).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

async function sightings(secrets: Secrets, tx: PrivacyUnitTx, which: RawBuilder<SqlBool>): Promise<Sighting[]> {
  // Each version encrypts the same number anew.
  const { rows } = await sql<Omit<Sighting, 'document'> & StoredNumber>`
    select distinct on (policy_id, document_hash, document_number, birth_date, email, name, shown) * from (
      select policy_id, document_hash, document_number, sealed, sealed_by, birth_date::text, lower(email) as email,
        coalesce(given_sort, name_sort) as name, concat_ws(' ', name, middle_name, nullif(last_name, '-'), company_name) as shown
      from policy_people
      where business_unit_id = ${tx.businessUnitId} and ${which}) as seen
    limit ${mostSightings}`.execute(tx)
  return rows.map(({ document_number, sealed, sealed_by, policy_id, birth_date, email, name, shown }) => {
    const number = numberIn(secrets, policy_id, { document_number, sealed, sealed_by })
    return { policy_id, document: number === null ? null : documentNumberCompared(number), birth_date, email, name, shown }
  })
}

export type PlaceRow = {
  kind: 'budget' | BlockedKind
  id: string
  number: string | null
  status: string
  until: string | null
  /** When a ticket was last touched. */
  touched: Date
}

/** True if a name may be the person's. An email address is not enough, as an agency may enter its own for many clients. */
export const isAddressed = (name: string, { name: own }: Person): boolean => {
  const addressed = searchable(name).trim()
  return addressed !== '' && own !== null && `${own} `.startsWith(`${addressed} `)
}

/** Reads the policies and saved quotes of a person, their tickets, and the tickets under the person's name and address. */
export async function placesOf(tx: PrivacyUnitTx, policyIds: string[], person: Person): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow & { contact: string | null }>`
    select case when sold_version is null then 'budget' else 'policy' end as kind, id, number, status, end_date::text as until, updated_at as touched,
      null as contact
    from policies
    where business_unit_id = ${tx.businessUnitId} and id = any(${policyIds}::uuid[]) and erased_at is null
    union all
    select 'ticket', id, reference, status, null, updated_at, case when policy_id = any(${policyIds}::uuid[]) then null else contact_name end
    from tickets
    where business_unit_id = ${tx.businessUnitId} and status <> 'blocked'
      and (policy_id = any(${policyIds}::uuid[]) or lower(contact_email) = any(${person.emails}::text[]))
    order by touched, id`.execute(tx)
  return rows.filter(({ contact }) => contact === null || isAddressed(contact, person))
}

/** Returns the longest hold of each of these objects. */
export async function holdsOf(tx: PrivacyUnitTx, ids: string[], day: string): Promise<Map<string, { uuid: string; until: string }>> {
  const { rows } = await sql<{ object: string; uuid: string; until: string }>`
    select object_id as object, id as uuid, until::text from holds
    where business_unit_id = ${tx.businessUnitId} and object_id = any(${ids}::uuid[]) and lifted_at is null and until >= ${day}::date
    order by until`.execute(tx)
  return new Map(rows.map(({ object, ...hold }) => [object, hold]))
}

export type BlockedRow = PlaceRow & { blocked_id: string; erased_on: string }

type Hashes = Record<'document_hash' | 'birth_date_hash' | 'email_hash' | 'name_hash', Buffer | null>

/** Finds blocked data by the hashes of facts: by at least two that belong to the same person in it. */
export async function blockedBy(tx: PrivacyUnitTx, hashes: Hashes): Promise<BlockedRow[]> {
  const agree = Object.entries(hashes)
    .filter(([, hash]) => hash !== null)
    .map(([column, hash]) => sql`coalesce((person.${sql.ref(column)} = ${hash})::integer, 0)`)
  const { rows } = await sql<BlockedRow>`
    select blocked.kind, blocked.object_id as id, blocked.id as blocked_id, blocked.until::text as erased_on, 'blocked' as status, null as until,
      coalesce(policy.number, ticket.reference) as number, blocked.blocked_at as touched
    from blocked_data as blocked
    left join policies as policy on policy.business_unit_id = blocked.business_unit_id and policy.id = blocked.object_id
    left join tickets as ticket on ticket.business_unit_id = blocked.business_unit_id and ticket.id = blocked.object_id
    where blocked.business_unit_id = ${tx.businessUnitId} and blocked.id in (
      select blocked_id from blocked_people as person
      where person.business_unit_id = ${tx.businessUnitId} and (person.document_hash = ${hashes.document_hash} or person.email_hash = ${hashes.email_hash}
        or person.name_hash = ${hashes.name_hash}) and ${sql.join(agree, sql` + `)} >= 2)
    order by touched, id`.execute(tx)
  return rows
}

/**
 * Returns the emails to the person, by name and address, that are about none of these objects. Left out are letters that have not left yet, and links
 * to a copy, which go with their copy.
 */
export async function mailsTo(tx: PrivacyUnitTx, person: Person, about: string[]): Promise<{ id: string }[]> {
  const mails = await tx
    .selectFrom('mails')
    .select(['id', 'recipient_name'])
    .where(sql<SqlBool>`lower(recipient_address) = any(${person.emails}::text[])`)
    .where(sql<SqlBool>`(about is null or about <> all(${about}::uuid[]))`)
    .where(sql<SqlBool>`template <> 'privacy_copy' and not (state = 'queued' and template = 'privacy_answer')`)
    .execute()
  return mails.filter(({ recipient_name: name }) => isAddressed(name, person))
}

export const deleteMails = (tx: PrivacyUnitTx, ids: string[]) =>
  tx
    .deleteFrom('mails')
    .where('id', '=', eb => eb.fn.any(eb.val(ids)))
    .execute()

export const unitsToSearch = (tx: PrivacyTx, only: string | undefined) => {
  const units = tx.selectFrom('business_units').select(['id', sql<string>`settings->>'brandName'`.as('brandName')])
  return (only === undefined ? units : units.where('id', '=', only)).orderBy('key').execute()
}

/** Returns the language of the person's newest policy or saved quote, or the agency's. Blocking keeps it. */
export async function localeOf(tx: PrivacyUnitTx, places: readonly { kind: string; uuid: string }[]): Promise<Locale> {
  const newest = await tx
    .selectFrom('policies')
    .select('locale')
    .where('id', '=', eb => eb.fn.any(eb.val(places.map(({ uuid }) => uuid))))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.locale ?? (await unitSettings(tx)).locale
}

/** True if a person in blocked data has the address, and another of these facts. */
export async function isInBlocked(tx: PrivacyUnitTx, hashes: Hashes): Promise<boolean> {
  const { rows } = await sql`
    select from blocked_people
    where business_unit_id = ${tx.businessUnitId} and email_hash = ${hashes.email_hash}
      and (document_hash = ${hashes.document_hash} or birth_date_hash = ${hashes.birth_date_hash} or name_hash = ${hashes.name_hash})
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Returns when each policy was first corrected for a person since an instant. */
export async function correctedSince(tx: PrivacyUnitTx, since: Date): Promise<Map<string, Date>> {
  const { rows } = await sql<{ id: string; at: Date }>`
    select item->>'uuid' as id, min(at) as at from person_requests, jsonb_array_elements(outcome->'items') as item
    where business_unit_id = ${tx.businessUnitId} and kind = 'rectify' and at >= ${since} and item->>'outcome' = 'mended'
    group by 1`.execute(tx)
  return new Map(rows.map(({ id, at }) => [id, at]))
}

/** Returns the version that a policy had before an instant. */
export const versionBefore = async (tx: UnitTx, policyId: string, at: Date): Promise<number | undefined> =>
  (
    await tx
      .selectFrom('policy_versions')
      .select('version')
      .where('policy_id', '=', policyId)
      .where('at', '<', at)
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.version
