import { sql } from 'kysely'
import type { Locale } from '#common/kit/locales.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'
import type { PersonRow } from '../persons/key.ts'

/** The part of a policy that blocking takes out, as the table has it or as it was encrypted. */
export type PolicyContent = {
  policy: { status: string; reference: string | null }
  people: PersonRow[]
  versions: { version: number; content: VersionContent }[]
  deeds: { at: string; kind: string; asked: Record<string, unknown> | null; note: string | null }[]
  withdrawals: { at: string; name: string; confirm_to: string }[]
  /** There are none for a policy in use, whose emails are still in their own table. */
  mails?: { at: string; template: string; to: string }[]
}

type VersionContent = { trip?: Record<string, unknown>; shown?: { demandsAndNeeds?: string | null } }

/** The part of a ticket that blocking takes out, as the table has it or as it was encrypted. */
export type TicketContent = {
  ticket: {
    id: string
    reference: string
    kind: string
    status: string
    policy_id: string | null
    policy_number: string | null
    incident_date: string | null
    subject: string
    description: string
    contact_name: string
    contact_email: string
    contact_phone: string
    locale: Locale
    form: { answers?: { label?: Record<string, string>; name: string; kind: string; value: unknown; choice?: Record<string, string> }[] }
    created_at: string
  }
  messages: { at: string; from_support: boolean; body: string }[]
  files?: { id: string; name: string }[]
}

export const asPolicy = (content: Record<string, unknown>): PolicyContent => content as PolicyContent // Safe: `readPeople` writes it.
export const asTicket = (content: Record<string, unknown>): TicketContent => content as TicketContent // Safe: `readTickets` writes it.

/** The facts of a policy that stay when it is blocked. */
export type PolicyFacts = {
  id: string
  status: string
  number: string | null
  product_name: string
  start_date: string
  end_date: string
  locale: Locale
  currency: string
  total_cents: number
  created_at: Date
  purchased_at: Date | null
}

export const factsOfPolicies = (tx: PrivacyUnitTx, ids: readonly string[]): Promise<PolicyFacts[]> =>
  tx
    .selectFrom('policies')
    .select([
      'id',
      'status',
      'number',
      'product_name',
      'start_date',
      'end_date',
      'locale',
      'currency',
      'total_cents',
      'created_at',
      'purchased_at',
    ])
    .where('id', '=', eb => eb.fn.any(eb.val(ids)))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

export type Blocked = {
  kind: 'policy' | 'ticket'
  object_id: string
  cause: string
  blocked_at: Date
  until: string
  sealed: Buffer
  sealed_by: string
}

export const blockedRows = (tx: PrivacyUnitTx, ids: readonly string[]): Promise<Blocked[]> =>
  tx
    .selectFrom('blocked_data')
    .select(['kind', 'object_id', 'cause', 'blocked_at', 'until', 'sealed', 'sealed_by'])
    .where('id', '=', eb => eb.fn.any(eb.val(ids)))
    .execute()

export type MailHead = {
  at: Date
  recipient_name: string
  recipient_address: string
  subject: string | null
  template: string
  state: string
  about: string | null
}

/** Returns the heads of emails to these addresses, newest first. */
export const mailHeads = (tx: PrivacyUnitTx, emails: readonly string[]): Promise<MailHead[]> =>
  tx
    .selectFrom('mails')
    .select(['at', 'recipient_name', 'recipient_address', 'subject', 'template', 'state', 'about'])
    .where(sql<boolean>`lower(recipient_address) = any(${emails}::text[])`)
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute()

export type OwnFile = { id: string; name: string; kind: string; of: string }

type SoldVersions = { policy: string; versions: number[] }

/** Returns the documents of policy versions and the uploads of tickets, without products' general texts. Files without a version are of the sold one. */
export async function filesOf(tx: PrivacyUnitTx, documents: readonly SoldVersions[], ticketIds: readonly string[]): Promise<OwnFile[]> {
  const pairs = documents.flatMap(({ policy, versions }) => versions.map(version => ({ policy, version })))
  const { rows } = await sql<OwnFile>`
    select id, name, kind, policy_id as of, created_at from files
    where business_unit_id = ${tx.businessUnitId} and state = 'ready' and kind not in ('information', 'conditions')
      and (policy_id, coalesce(policy_version, (select coalesce(sold_version, version) from policies
        where policies.business_unit_id = files.business_unit_id and policies.id = files.policy_id))) in (select * from unnest(${pairs.map(({ policy }) => policy)}::uuid[], ${pairs.map(({ version }) => version)}::integer[]))
    union all
    select files.id, files.name, files.kind, used.ticket_id, files.created_at from files join ticket_files as used
      on used.business_unit_id = files.business_unit_id and used.file_id = files.id
    where files.business_unit_id = ${tx.businessUnitId} and used.ticket_id = any(${ticketIds}::uuid[]) and files.state = 'ready'
    order by created_at, id`.execute(tx)
  return rows
}
