import { type Selectable, sql } from 'kysely'
import type { DeclineReason } from '#common/policies/quote-link.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { hashOfAddress } from '#server/kit/mail-address.ts'
import { findPolicy, type PolicyRow, versionOf } from '../queries.ts'
import type { PolicyTables } from '../tables.ts'

export type QuoteLinkRow = Selectable<PolicyTables['quote_links']>

/** `address`: where it is mailed to; null for a messenger. */
type NewLink = { userId: string | null; address: string | null; message: string; quotes: readonly Pick<PolicyRow, 'id'>[] }

export async function insertLink({ ids, clock }: World, tx: UnitTx, { userId, address, message, quotes }: NewLink): Promise<string> {
  const id = ids.next()
  const recipient_hash = address === null ? null : hashOfAddress(address)
  await tx.insertInto('quote_links').values({ id, at: clock.now(), user_id: userId, recipient_hash, message }).execute()
  await tx
    .insertInto('quote_link_policies')
    .values(quotes.map((quote, position) => ({ link_id: id, position, policy_id: quote.id })))
    .execute()
  return id
}

export const findLink = (tx: UnitTx, id: string): Promise<QuoteLinkRow | undefined> =>
  tx.selectFrom('quote_links').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks a link before its quotes, so that two answers of one link follow each other. */
export const lockLink = (tx: UnitTx, id: string): Promise<QuoteLinkRow | undefined> =>
  tx.selectFrom('quote_links').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns the quotes of a link in its order, whatever became of them. */
export const quotesOf = (tx: UnitTx, linkId: string): Promise<PolicyRow[]> =>
  tx
    .selectFrom('quote_link_policies')
    .innerJoin('policies', join =>
      join
        .onRef('policies.business_unit_id', '=', 'quote_link_policies.business_unit_id')
        .onRef('policies.id', '=', 'quote_link_policies.policy_id'),
    )
    .selectAll('policies')
    .where('quote_link_policies.link_id', '=', linkId)
    .orderBy('quote_link_policies.position')
    .execute()

const linksOf = (tx: UnitTx, policyId: string) =>
  tx
    .selectFrom('quote_links')
    .innerJoin('quote_link_policies', join =>
      join
        .onRef('quote_link_policies.business_unit_id', '=', 'quote_links.business_unit_id')
        .onRef('quote_link_policies.link_id', '=', 'quote_links.id'),
    )
    .selectAll('quote_links')
    .where('quote_link_policies.policy_id', '=', policyId)
    .limit(1)

const hasAny = async (links: ReturnType<typeof linksOf>): Promise<boolean> => (await links.executeTakeFirst()) !== undefined

/** Finds the link of a quote that its client has answered, else one by which its payment has begun, else the newest. */
export const tellingLink = (tx: UnitTx, policyId: string): Promise<QuoteLinkRow | undefined> =>
  linksOf(tx, policyId)
    .orderBy(sql`decision is null`)
    .orderBy(sql`decided_policy is distinct from ${policyId}`)
    .orderBy('at', 'desc')
    .orderBy('quote_links.id', 'desc')
    .executeTakeFirst()

/** True if a link of the quote can still be answered. */
export const isOpenByLink = (tx: UnitTx, policyId: string): Promise<boolean> =>
  hasAny(linksOf(tx, policyId).where('decision', 'is', null).where('revoked_at', 'is', null))

/** True if a client has accepted the quote by a link, and its agency is to sell it. */
export const isAccepted = (tx: UnitTx, policyId: string): Promise<boolean> =>
  hasAny(linksOf(tx, policyId).where('decision', '=', 'accepted').where('decided_policy', '=', policyId))

/** True if a client has answered a link of the quote, or the agency has ended one. */
export const isAnswered = (tx: UnitTx, policyId: string): Promise<boolean> =>
  hasAny(linksOf(tx, policyId).where(link => link.or([link('decision', 'is not', null), link('revoked_at', 'is not', null)])))

/** True if a policy's version is the client's own, and not the agency's. */
export const isByClient = async (tx: UnitTx, policy: Pick<PolicyRow, 'id' | 'version'>): Promise<boolean> =>
  (await versionOf(tx, policy)).user_id === null

/** Returns the quote that a link has bought: its client began to pay it, and that version was sold. */
export async function boughtBy(tx: UnitTx, { decision, decided_policy: id }: QuoteLinkRow): Promise<string | null> {
  const version = decision === null && id !== null ? (await findPolicy(tx, id))?.sold_version : null
  return id !== null && version && (await isByClient(tx, { id, version })) ? id : null
}

type Answer = {
  decision?: 'accepted' | 'declined'
  decided_policy?: string
  reason?: DeclineReason | null
  decided_at?: Date
  answered_by?: string
  proof_sha256?: string
}

export const answerLink = (tx: UnitTx, id: string, answer: Answer) =>
  tx.updateTable('quote_links').set(answer).where('id', '=', id).execute()

/** A quote is being paid by one link alone: the others that once began to pay it did not buy it. One that is locked is about to find that out itself. */
export const forgetChoice = (tx: UnitTx, policyId: string, chosenBy: string) =>
  sql`update quote_links set decided_policy = null, decided_at = null
    where business_unit_id = ${tx.businessUnitId} and id in (
      select link.id from quote_link_policies own
        join quote_links link on link.business_unit_id = own.business_unit_id and link.id = own.link_id
      where own.business_unit_id = ${tx.businessUnitId} and own.policy_id = ${policyId} and link.id <> ${chosenBy}
        and link.decision is null and link.decided_policy = own.policy_id
      for update of link skip locked)`.execute(tx)

/** Returns the id of the file that proves the answer to a link. */
export const proofId = (linkId: string): string => stableId('proof', linkId)

/** Notes the first opening, or completion, of a link. */
export const noteOnce = (tx: UnitTx, id: string, what: 'opened_at' | 'completed_at', at: Date) =>
  tx
    .updateTable('quote_links')
    .set({ [what]: at })
    .where('id', '=', id)
    .where(what, 'is', null)
    .execute()

const linksWith = (tx: UnitTx, policyId: string) =>
  sql`select link_id from quote_link_policies where business_unit_id = ${tx.businessUnitId} and policy_id = ${policyId}`

/** Ends the links of a quote, and returns how many were open. */
export async function revokeLinks(tx: UnitTx, policyId: string, at: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update quote_links set revoked_at = ${at}
    where business_unit_id = ${tx.businessUnitId} and revoked_at is null and id in (${linksWith(tx, policyId)})
    returning id`.execute(tx)
  return rows.length
}

/** Takes the former person's words, name and address from the links of a quote that is now another's. Returns the links. */
export async function forgetReader(tx: UnitTx, policyId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update quote_links set message = '', recipient_hash = null, answered_by = ''
    where business_unit_id = ${tx.businessUnitId} and id in (${linksWith(tx, policyId)})
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}
