import { sql } from 'kysely'
import { policyErased } from '#common/privacy/classes.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { numberIn } from '#server/kit/sealed/document-numbers.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { type BlockedPerson, peopleIn } from '../facts.ts'
import { type NewBlocked, sealAway } from '../sealed.ts'
import type { Cause } from '../tables.ts'
import { takeOutPeople } from './erase-policies.ts'

type Content = { people: StoredPerson[] } & Record<string, unknown>
type Taken = { id: string; end_date: string; before: string; content: Content }
/** A row of `policy_people` as JSON has it, with its number encrypted or not. */
type StoredPerson = BlockedPerson & { sealed: string | null; sealed_by: string | null; document_hash: string | null }

/**
 * Blocks sold policies: everything that identifies a person is encrypted into `blocked_data`, and the policies leave every list, search and page. Their
 * documents stay in the file store, where only the administration opens them.
 */
export async function blockPolicies(
  world: World,
  tx: PrivacyUnitTx,
  ids: readonly string[],
  { country, cause }: { country: number; cause: Cause },
): Promise<void> {
  if (ids.length === 0) return
  const now = world.clock.now()
  const taken = await readPeople(world.secrets, tx, ids)
  const sealed = taken.map(
    ({ id, end_date: end, content }): NewBlocked => ({
      kind: 'policy',
      objectId: id,
      cause,
      until: policyErased(end, country),
      content,
      people: peopleIn(content.people),
    }),
  )
  await sealAway(world, tx, sealed)
  await takeOutPeople(tx, ids, now)
  await sql`
    insert into policy_history (business_unit_id, policy_id, id, at, what, details)
    select ${tx.businessUnitId}, each.policy_id, each.id, ${now}, 'blocked', '{}'
    from unnest(${taken.map(({ id }) => id)}::uuid[], ${taken.map(() => world.ids.next())}::uuid[]) as each (policy_id, id)`.execute(tx)
  await sql`
    with moved as (
      update policies set status = 'blocked' from unnest(${taken.map(({ id }) => id)}::uuid[], ${taken.map(({ before }) => before)}::text[]) as was (id, status)
      where policies.business_unit_id = ${tx.businessUnitId} and policies.id = was.id returning ${part} as part, was.status as before)
    insert into policy_counts (business_unit_id, part, purchased, cancelled, blocked)
    select ${tx.businessUnitId}, part, -count(*) filter (where before = 'purchased'), -count(*) filter (where before = 'cancelled'), count(*) from moved
    group by part
    on conflict (business_unit_id, part) do update set purchased = policy_counts.purchased + excluded.purchased,
      cancelled = policy_counts.cancelled + excluded.cancelled, blocked = policy_counts.blocked + excluded.blocked`.execute(tx)
}

/** Selects the row of counts for a policy by its id's last byte, as the sale does. */
const part = sql`get_byte(uuid_send(policies.id), 15) % 16`

/** Reads everything of policies that identifies a person. Document numbers are decrypted, so that nothing is encrypted twice. */
export async function readPeople(secrets: Secrets, tx: PrivacyUnitTx, ids: readonly string[]): Promise<Taken[]> {
  const all = (table: string, columns: string) => sql`
    (select coalesce(jsonb_agg(to_jsonb(each)), '[]') from (
      select ${sql.raw(columns)} from ${sql.table(table)} as own where own.business_unit_id = policy.business_unit_id and own.policy_id = policy.id) as each)`
  const { rows } = await sql<Taken>`
    select policy.id, policy.end_date::text, policy.status as before,
      jsonb_build_object('policy', jsonb_build_object('status', status, 'number', number, 'taker', taker, 'reference', reference),
        'people', ${all('policy_people', '*')}, 'versions', ${all('policy_versions', 'version, content')},
        'deeds', ${all('policy_deeds', 'id, kind, at, asked, note, user_name')}, 'withdrawals', ${all('withdrawals', 'id, at, name, confirm_to')},
        'files', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name)), '[]') from files
          where files.business_unit_id = policy.business_unit_id and files.policy_id = policy.id and files.kind = 'upload'),
        'mails', (select coalesce(jsonb_agg(jsonb_build_object('at', at, 'template', template, 'to', recipient_address, 'name', recipient_name)), '[]')
          from mails where mails.business_unit_id = policy.business_unit_id and mails.about = policy.id)) as content
    from policies as policy
    where policy.business_unit_id = ${tx.businessUnitId} and policy.id = any(${ids}::uuid[])`.execute(tx)
  return rows.map(row => ({
    ...row,
    content: { ...row.content, people: row.content.people.map(person => openedIn(secrets, row.id, person)) },
  }))
}

function openedIn(secrets: Secrets, policyId: string, stored: StoredPerson): StoredPerson {
  const { sealed, sealed_by, document_hash: _, ...person } = stored
  const { document_number } = person
  const bytes = sealed === null ? null : Buffer.from(sealed.slice(2), 'hex')
  // Safe: the columns that are left out are not of the content.
  return { ...person, document_number: numberIn(secrets, policyId, { document_number, sealed: bytes, sealed_by }) } as StoredPerson
}
