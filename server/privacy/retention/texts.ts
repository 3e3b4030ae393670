import { sql } from 'kysely'
import { addDays, addYears, startOfDay } from '#common/kit/dates.ts'
import { answerYears, auditYears, mailDays, networkYears, reasonYears } from '#common/privacy/classes.ts'
import type { PrivacyTx, PrivacyUnitTx } from '#server/kit/database.ts'
import type { UnitDay } from './due.ts'

/** Deletes the texts of old emails. Address, subject and time stay. Returns how many emails there were. */
export async function shortenMails(tx: PrivacyUnitTx, { today, timeZone }: UnitDay, most: number): Promise<number> {
  const { rows } = await sql`
    update mails set text_body = null, html_body = null, attachments = '[]', content = jsonb_set('{"locale":null,"params":{}}', '{locale}', coalesce(content->'locale', 'null'))
    where business_unit_id = ${tx.businessUnitId} and id in (
      select id from mails
      where business_unit_id = ${tx.businessUnitId} and at < ${new Date(startOfDay(addDays(today, -mailDays), timeZone))}
        and state <> 'queued' and content->'params' <> '{}'
      limit ${most} for update skip locked)
    returning id`.execute(tx)
  return rows.length
}

/** Deletes networks and browsers from old audit entries, and details and reasons from older ones. Users' ids always stay. */
export async function shortenAudit(tx: PrivacyTx, today: string, most: number): Promise<number> {
  const day = (years: number) => new Date(startOfDay(addYears(today, -years), 'UTC'))
  const { rows: networks } = await sql`
    update audit set network = '', user_agent = ''
    where id in (
      select id from audit where at < ${day(networkYears)} and (network <> '' or user_agent <> '') limit ${most} for update skip locked)
    returning id`.execute(tx)
  const { rows: details } = await sql`
    update audit set details = null
    where id in (select id from audit where at < ${day(auditYears)} and details is not null limit ${most} for update skip locked)
    returning id`.execute(tx)
  const { rows: reasons } = await sql`
    update audit set reason = null
    where id in (select id from audit where at < ${day(auditYears)} and reason is not null limit ${most} for update skip locked)
    returning id`.execute(tx)
  return networks.length + details.length + reasons.length
}

/**
 * Deletes the reasons that users typed from a unit's old requests and holds, as they may name a person. An outcome has the reason of the hold that
 * refused it. Returns how many rows there were.
 */
export async function shortenReasons(tx: PrivacyUnitTx, today: string, most: number): Promise<number> {
  const before = new Date(startOfDay(addYears(today, -reasonYears), 'UTC'))
  const { rows: requests } = await sql`
    update person_requests set reason = '', extension = case when extension is not null then '' end, closing = case when closing is not null then '' end,
      outcome = case when outcome ? 'items' then jsonb_set(outcome, '{items}', (
        select coalesce(jsonb_agg(item || '{"note": null}' order by position), '[]')
        from jsonb_array_elements(outcome->'items') with ordinality as each (item, position))) else outcome end
    where business_unit_id = ${tx.businessUnitId} and id in (
      select id from person_requests
      where business_unit_id = ${tx.businessUnitId} and done_at < ${before} and (reason <> '' or extension <> '' or closing <> '')
      limit ${most} for update skip locked)
    returning id`.execute(tx)
  const { rows: holds } = await sql`
    update holds set reason = ''
    where business_unit_id = ${tx.businessUnitId} and id in (
      select id from holds
      where business_unit_id = ${tx.businessUnitId} and coalesce(lifted_at, until) < ${before} and reason <> ''
      limit ${most} for update skip locked)
    returning id`.execute(tx)
  return requests.length + holds.length
}

/** Deletes old links of quotes, with what their clients answered, unless they still open a policy. Returns how many there were. */
export async function deleteLinks(tx: PrivacyUnitTx, today: string, most: number): Promise<number> {
  const [now, before] = [today, addYears(today, -answerYears)].map(day => new Date(startOfDay(day, 'UTC')))
  const { rows } = await sql`
    delete from quote_links where business_unit_id = ${tx.businessUnitId} and id in (
      select id from quote_links
      where business_unit_id = ${tx.businessUnitId} and at < ${before} and coalesce(decided_at, at) < ${before}
        and not exists (select from client_tokens token where token.business_unit_id = quote_links.business_unit_id
          and token.link_id = quote_links.id and token.expires_at >= ${now})
      limit ${most} for update skip locked)
    returning id`.execute(tx)
  return rows.length
}
