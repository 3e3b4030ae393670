import { sql } from 'kysely'
import { today } from '#common/kit/dates.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type PrivacyUnitTx, within } from '#server/kit/database.ts'
import { scopeOf } from '#server/session/public.ts'
import { deleteMails } from './persons/queries.ts'
import { deleteCopies, eraseBudgets } from './retention/batches.ts'
import { blockPolicies } from './retention/block-policies.ts'
import { blockTickets } from './retention/block-tickets.ts'
import type { Suppressed, Suppressions } from './suppressions.ts'

const batch = 500

/** Repeats erasures in a restored copy of the database, which still has the data. Returns how many objects it erased. */
export async function reapply(world: World, suppressions: Suppressions): Promise<number> {
  const listed = Object.entries(Object.groupBy((await suppressions.read()) ?? [], ({ unit }) => unit))
  let again = 0
  for (const [unitId, objects = []] of listed)
    for (let from = 0; from < objects.length; from += batch)
      again += await world.database.asPrivacy(tx => eraseAgain(world, within(tx, scopeOf(unitId)), objects.slice(from, from + batch)))
  return again
}

async function eraseAgain(world: World, tx: PrivacyUnitTx, objects: Suppressed[]): Promise<number> {
  const { country, timeZone } = await unitSettings(tx)
  const budgets = await still(tx, objects, 'budget')
  const tickets = await still(tx, objects, 'ticket')
  const policies = await still(tx, objects, 'policy')
  const copies = await still(tx, objects, 'copy')
  const mails = await still(tx, objects, 'mail')
  if (budgets.length > 0) await eraseBudgets(world, tx, budgets, { country, timeZone, today: today(world.businessClock.now(), timeZone) })
  if (copies.length > 0) await deleteCopies(world, tx, copies)
  if (mails.length > 0) await deleteMails(tx, mails)
  await blockTickets(world, tx, tickets, 'erasure')
  await blockPolicies(world, tx, policies, { country, cause: 'erasure' })
  return budgets.length + tickets.length + policies.length + copies.length + mails.length
}

const there = {
  budget: sql`policies where erased_at is null and sold_version is null`,
  policy: sql`policies where status in ('purchased', 'cancelled')`,
  ticket: sql`tickets where status <> 'blocked'`,
  copy: sql`person_copies where true`,
  mail: sql`mails where true`,
}

/** Returns the listed objects of a kind whose personal data is still in use here. */
async function still(tx: PrivacyUnitTx, objects: Suppressed[], kind: Suppressed['kind']): Promise<string[]> {
  const ids = objects.filter(object => object.kind === kind).map(({ id }) => id)
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from ${there[kind]} and business_unit_id = ${tx.businessUnitId} and id = any(${ids}::uuid[]) for update`.execute(tx)
  return rows.map(({ id }) => id)
}
