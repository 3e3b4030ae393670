import { sql } from 'kysely'
import { erasureOf, personFieldNames, personFields } from '#common/people/person.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'

/** How each fact of a person is erased, as its row says. */
const erasures = personFieldNames.flatMap(field => {
  const erased = erasureOf(field)
  if (erased === 'nothing') return []
  const name = sql.ref(personFields[field].column)
  return erased === 'all' ? sql`${name} = null` : sql`${name} = make_date(extract(year from ${name})::integer / 10 * 10, 1, 1)`
})

/**
 * Removes everything from policies that identifies a person: names, documents, addresses, contacts, the agency's reference, the client's words. The
 * policyholder's country goes, too. Money, days, the trip's countries and the decade of each birth stay, so that books and figures still add up.
 */
export async function takeOutPeople(tx: PrivacyUnitTx, ids: readonly string[], now: Date): Promise<void> {
  const ofThese = sql`business_unit_id = ${tx.businessUnitId} and policy_id = any(${ids}::uuid[])`
  await sql`
    update policies set taker = '', taker_sort = '', reference = '', reference_sort = '', search = ''
    where business_unit_id = ${tx.businessUnitId} and id = any(${ids}::uuid[])`.execute(tx)
  await sql`
    update policy_people set ${sql.join(erasures)}, sealed = null, sealed_by = null, document_hash = null, name_sort = '', given_sort = null,
      person_id = null
    where ${ofThese}`.execute(tx)
  await sql`
    update policy_versions set content = jsonb_set(content #- '{trip,buReference}' #- '{shown,demandsAndNeeds}', '{quote,perTraveller}', (
      select coalesce(jsonb_agg(traveller - 'birthDate' order by position), '[]')
      from jsonb_array_elements(content #> '{quote,perTraveller}') with ordinality as each (traveller, position)))
    where ${ofThese}`.execute(tx)
  await sql`update policy_history set user_name = null where ${ofThese} and user_id is null`.execute(tx)
  await sql`
    update policy_deeds set asked = '{}', note = null, user_name = case when user_id is null then '' else user_name end where ${ofThese}`.execute(
    tx,
  )
  await sql`update withdrawals set name = '', confirm_to = '' where ${ofThese}`.execute(tx)
  // An offer that a restored copy still has open ends with its policy.
  await sql`
    update open_changes set state = 'expired', ended_at = ${now}, asked = null, step = null, sealed = null, sealed_by = null, request_key = null
    where ${ofThese} and state = 'offered'`.execute(tx)
  await sql`update open_changes set offered_to = '' where ${ofThese} and offered_to is not null`.execute(tx)
  await sql`update files set name = '' where ${ofThese} and kind = 'upload'`.execute(tx)
  await sql`delete from client_tokens where ${ofThese}`.execute(tx)
  await endLinks(tx, ids)
  await sql`delete from policy_notices where ${ofThese}`.execute(tx)
  await sql`delete from mails where business_unit_id = ${tx.businessUnitId} and about = any(${ids}::uuid[])`.execute(tx)
  await sql`
    delete from paper_sources where business_unit_id = ${tx.businessUnitId} and content_id in (
      select content_id from files where ${ofThese} and content_id is not null)`.execute(tx)
}

/** Ends the links of quotes whose people are all gone. That the client opened and answered them stays, without words and address. */
async function endLinks(tx: PrivacyUnitTx, ids: readonly string[]): Promise<void> {
  const unit = tx.businessUnitId
  const ended = sql`
    select own.link_id from quote_link_policies own
    where own.business_unit_id = ${unit} and own.policy_id = any(${ids}::uuid[]) and not exists (
      select from quote_link_policies other
        join policies on policies.business_unit_id = other.business_unit_id and policies.id = other.policy_id
      where other.business_unit_id = ${unit} and other.link_id = own.link_id and policies.id <> all(${ids}::uuid[])
        and policies.erased_at is null and policies.status <> 'blocked')`
  await sql`delete from client_tokens where business_unit_id = ${unit} and link_id in (${ended})`.execute(tx)
  await sql`
    update quote_links set message = '', recipient_hash = null, answered_by = '' where business_unit_id = ${unit} and id in (${ended})`.execute(
    tx,
  )
}

/** Deletes the documents of policies with their source data. Returns the contents that no other file uses. */
export async function deleteDocuments(tx: PrivacyUnitTx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ content_id: string }>`
    with gone as (
      delete from files where business_unit_id = ${tx.businessUnitId} and policy_id = any(${ids}::uuid[]) returning id, content_id)
    select distinct gone.content_id from gone
    where gone.content_id is not null and not exists (
      select from files where files.business_unit_id = ${tx.businessUnitId} and files.content_id = gone.content_id
        and files.id not in (select id from gone))`.execute(tx)
  const contents = rows.map(({ content_id: id }) => id)
  await sql`delete from paper_sources where business_unit_id = ${tx.businessUnitId} and content_id = any(${contents}::uuid[])`.execute(tx)
  return contents
}
