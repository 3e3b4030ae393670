import { type Selectable, sql } from 'kysely'
import type { DeclineReason } from '#common/policies/quote-link.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { PolicyRow } from '../queries.ts'
import type { PolicyTables } from '../tables.ts'

export type QuoteLinkRow = Selectable<PolicyTables['quote_links']>

/** `quotes`: the ids of the saved quotes that it opens, in order. */
export type NewLink = { userId: string | null; recipientHash: Buffer | null; message: string; quotes: readonly string[] }

export async function insertLink({ ids, clock }: World, tx: UnitTx, { userId, recipientHash, message, quotes }: NewLink): Promise<string> {
  const id = ids.next()
  await tx.insertInto('quote_links').values({ id, at: clock.now(), user_id: userId, recipient_hash: recipientHash, message }).execute()
  await tx
    .insertInto('quote_link_policies')
    .values(quotes.map((policy_id, position) => ({ link_id: id, position, policy_id })))
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

/** Finds the newest link of a quote. */
export const newestLink = (tx: UnitTx, policyId: string): Promise<QuoteLinkRow | undefined> =>
  tx
    .selectFrom('quote_links')
    .innerJoin('quote_link_policies', join =>
      join
        .onRef('quote_link_policies.business_unit_id', '=', 'quote_links.business_unit_id')
        .onRef('quote_link_policies.link_id', '=', 'quote_links.id'),
    )
    .selectAll('quote_links')
    .where('quote_link_policies.policy_id', '=', policyId)
    .orderBy('quote_links.at', 'desc')
    .orderBy('quote_links.id', 'desc')
    .limit(1)
    .executeTakeFirst()

type Answer = { decision?: 'accepted' | 'declined'; decided_policy?: string; reason?: DeclineReason | null; decided_at?: Date }

export const answerLink = (tx: UnitTx, id: string, answer: Answer) =>
  tx.updateTable('quote_links').set(answer).where('id', '=', id).execute()

/** Notes the first opening, or completion, of a link. */
export const noteOnce = (tx: UnitTx, id: string, what: 'opened_at' | 'completed_at', at: Date) =>
  tx
    .updateTable('quote_links')
    .set({ [what]: at })
    .where('id', '=', id)
    .where(what, 'is', null)
    .execute()

/** Ends the links of a quote, and returns how many were open. */
export async function revokeLinks(tx: UnitTx, policyId: string, at: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update quote_links set revoked_at = ${at}
    where business_unit_id = ${tx.businessUnitId} and revoked_at is null and id in (
      select link_id from quote_link_policies where business_unit_id = ${tx.businessUnitId} and policy_id = ${policyId})
    returning id`.execute(tx)
  return rows.length
}
