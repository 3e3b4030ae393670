import { sql } from 'kysely'
import type { World } from '#server/kit/app-context.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'
import { blockPolicies } from './block-policies.ts'
import { blockTickets, deleteTickets } from './block-tickets.ts'
import type { DueClass, UnitDay } from './due.ts'
import { deleteDocuments, takeOutPeople } from './erase-policies.ts'

/** Event: stored files are gone, and no other file uses their bytes. */
export const contentsErased = 'privacy.contents_erased'

type Work = (world: World, tx: PrivacyUnitTx, ids: string[], unit: UnitDay) => Promise<void>

/** Erases the people of saved quotes. A quote that could still be opened is deleted first. */
export const eraseBudgets: Work = async (world, tx, ids) => {
  const contents = await deleteDocuments(tx, ids)
  const now = world.clock.now()
  await takeOutPeople(tx, ids, now)
  await sql`
    insert into policy_history (business_unit_id, policy_id, id, at, what, details)
    select ${tx.businessUnitId}, each.policy_id, each.id, ${now}, 'deleted', '{}'
    from unnest(${ids}::uuid[], ${ids.map(() => world.ids.next())}::uuid[]) as each (policy_id, id)
      join policies on policies.business_unit_id = ${tx.businessUnitId} and policies.id = each.policy_id
    where policies.status <> 'deleted'`.execute(tx)
  await sql`
    with former as (select id, status from policies where business_unit_id = ${tx.businessUnitId} and id = any(${ids}::uuid[])),
      moved as (
        update policies set status = 'deleted', erased_at = ${now} from former
        where policies.business_unit_id = ${tx.businessUnitId} and policies.id = former.id
        returning get_byte(uuid_send(policies.id), 15) % 16 as part, former.status as before)
    insert into policy_counts (business_unit_id, part, budgeted, pending, deleted)
    select ${tx.businessUnitId}, part, -count(*) filter (where before = 'budgeted'), -count(*) filter (where before = 'pending'),
      count(*) filter (where before <> 'deleted')
    from moved group by part
    on conflict (business_unit_id, part) do update set budgeted = policy_counts.budgeted + excluded.budgeted,
      pending = policy_counts.pending + excluded.pending, deleted = policy_counts.deleted + excluded.deleted`.execute(tx)
  await tx
    .updateTable('payments')
    .set({ state: 'closed' })
    .where('state', '=', 'open')
    .where('policy_id', '=', eb => eb.fn.any(eb.val(ids)))
    .execute()
  await publishErased(world, tx, contents)
}

/** Erases blocked data: the encrypted data and the documents of policies, and tickets as a whole. */
const eraseBlocked: Work = async (world, tx, ids) => {
  const { rows } = await sql<{ kind: 'policy' | 'ticket'; object_id: string }>`
    delete from blocked_data where business_unit_id = ${tx.businessUnitId} and id = any(${ids}::uuid[]) returning kind, object_id`.execute(
    tx,
  )
  const of = (wanted: string) => rows.filter(({ kind }) => kind === wanted).map(({ object_id: id }) => id)
  const contents = [...(await deleteDocuments(tx, of('policy'))), ...(await deleteTickets(tx, of('ticket')))]
  await tx
    .updateTable('policies')
    .set({ erased_at: world.clock.now() })
    .where('id', '=', eb => eb.fn.any(eb.val(of('policy'))))
    .execute()
  await publishErased(world, tx, contents)
}

/** Deletes persons' copies of their data, with the emails that brought their links: they have the name and address of someone who may be erased. */
export async function deleteCopies(world: World, tx: PrivacyUnitTx, ids: string[]): Promise<void> {
  await sql`
    delete from mails using person_copies as copy
    where copy.business_unit_id = ${tx.businessUnitId} and copy.id = any(${ids}::uuid[]) and mails.business_unit_id = copy.business_unit_id
      and mails.about = copy.request_id and mails.template = 'privacy_copy'`.execute(tx)
  for (const table of ['person_copies', 'files'] as const)
    await tx
      .deleteFrom(table)
      .where('id', '=', eb => eb.fn.any(eb.val(ids)))
      .execute()
  // The content of a copy has the copy's own id.
  await publishErased(world, tx, ids)
}

const publishErased = async ({ outbox }: World, tx: PrivacyUnitTx, contents: string[]): Promise<void> => {
  if (contents.length > 0) await outbox.publish(tx, contentsErased, { contents })
}

/** The nightly work on due objects, by class, and the certificate's word for it. */
export const steps: Record<DueClass, { what: 'blocked' | 'erased'; work: Work }> = {
  budget: { what: 'erased', work: eraseBudgets },
  // Before policies, which wait for their tickets.
  ticket: { what: 'blocked', work: (world, tx, ids) => blockTickets(world, tx, ids, 'age') },
  policy: { what: 'blocked', work: (world, tx, ids, { country }) => blockPolicies(world, tx, ids, { country, cause: 'age' }) },
  blocked: { what: 'erased', work: eraseBlocked },
  copy: { what: 'erased', work: deleteCopies },
}
