import { sql } from 'kysely'
import { addDays, addYears, startOfDay } from '#common/kit/dates.ts'
import { auditYears, mailDays, networkYears } from '#common/privacy/times.ts'
import type { PrivacyTx, PrivacyUnitTx } from '#server/kit/database.ts'
import type { UnitDay } from './due.ts'

/** Takes out of old emails what they say. Their address, subject and time stay. Returns how many they were. */
export async function shortenMails(tx: PrivacyUnitTx, { today, timeZone }: UnitDay, most: number): Promise<number> {
  const { rows } = await sql`
    update mails set text_body = null, html_body = null, attachments = '[]', content = jsonb_build_object('locale', content->'locale', 'params', '{}'::jsonb)
    where business_unit_id = ${tx.businessUnitId} and id in (
      select id from mails
      where business_unit_id = ${tx.businessUnitId} and at < ${new Date(startOfDay(addDays(today, -mailDays), timeZone))}
        and state <> 'queued' and content->'params' <> '{}'
      limit ${most} for update skip locked)
    returning id`.execute(tx)
  return rows.length
}

/** Takes networks and browsers out of old entries of the audit, and from older ones the details. Users are kept as ids all the time. */
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
  return networks.length + details.length
}
