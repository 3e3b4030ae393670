import { sql } from 'kysely'
import { languageOf } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { atLeisureAlone, type Database, type ServiceTx, type UnitTx, within } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { sealedNumber } from '#server/kit/sealed/document-numbers.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { offeredProducts, unitGateways } from '#server/products/public.ts'
import { takeNumbers } from '../queries.ts'
import { openRandom } from '#common/kit/random.ts'
import { type SeedContext, invent as inventPolicy, type InventedRows } from './invent.ts'
import { type Batch, batchOf, columnTypes, isEmpty, seededTables, withoutIndexes } from './queries.ts'

const batchSize = 1000
const years = 3

/** The progress of seeding. */
export type Progress = { policies: number; rows: number; indexes?: { done: number; of: number } }

type Seeding = { database: Database; secrets: Secrets }
type UnitShare = { scope: Scope; many: number }
type SeedOptions = { seed: number; now: Date; show: (progress: Progress) => void }

/**
 * Writes policies sold within the last three years for each unit; returns the number of rows. The same seed on the same database gives the
 * same policies.
 */
export async function seedPolicies({ database, secrets }: Seeding, shares: UnitShare[], { seed, now, show }: SeedOptions): Promise<number> {
  const [types, batches, isFirst] = await database.asService(async tx => [
    await columnTypes(tx),
    await batchesOf(tx, secrets, shares, { seed, now }),
    await isEmpty(tx),
  ])
  let [policies, rows] = [0, 0]
  /** Invents one batch while the one before is being written. */
  const work = async (write: (scope: Scope, batch: Batch) => Promise<unknown>): Promise<void> => {
    let writing: Promise<unknown> = Promise.resolve()
    for (let next = batches.shift(); next; next = batches.shift()) {
      const { scope, size } = next
      const batch = batchOf(types, next.invent())
      await writing
      writing = write(scope, batch).then(() => {
        policies += size
        rows += batch.rows
        show({ policies, rows })
      })
      // Awaited in the next round. If inventing fails before that, the rejection is already handled.
      writing.catch(() => {})
    }
    await writing
  }
  if (isFirst) {
    await database.atLeisure(tx =>
      withoutIndexes(
        tx,
        () => work((scope, batch) => batch.write(within(tx, scope))),
        (done, of) => show({ policies, rows, indexes: { done, of } }),
      ),
    )
  } else {
    const inTransaction = (scope: Scope, batch: Batch) => database.asService(tx => batch.write(within(tx, scope)))
    await Promise.all([work(inTransaction), work(inTransaction)])
  }
  await vacuum(database)
  return rows
}

type InventedBatch = { scope: Scope; size: number; invent: () => InventedRows[] }

/** Interleaves the units' batches, as their sales would be. */
async function batchesOf(
  tx: ServiceTx,
  secrets: Secrets,
  shares: UnitShare[],
  { seed, now }: Pick<SeedOptions, 'seed' | 'now'>,
): Promise<InventedBatch[]> {
  const all: (InventedBatch & { at: number })[] = []
  for (const [unitIndex, { scope, many }] of shares.entries()) {
    const unit = within(tx, scope)
    const context = await contextOf(unit, secrets)
    const first = await takeNumbers(tx, many)
    const periodStart = now.getTime() - years * 365 * 86_400_000
    const step = (now.getTime() - periodStart) / many
    for (let from = 0; from < many; from += batchSize) {
      const size = Math.min(batchSize, many - from)
      const invent = () => {
        // Each batch has its own seed, which depends on the policies already there, so ids never repeat.
        const random = openRandom(seed + first + from + unitIndex * 100_000_007)
        return Array.from({ length: size }, (_, at) =>
          inventPolicy(context, random, Math.floor(periodStart + (from + at) * step), first + from + at),
        )
      }
      all.push({ scope, size, invent, at: from / many })
    }
  }
  return all.toSorted((one, other) => one.at - other.at)
}

/** Analyses the tables: index-only scans and good plans need it. */
const vacuum = (database: Database): Promise<void> =>
  atLeisureAlone(database, async connection => {
    for (const table of seededTables) await sql`vacuum (analyze) ${sql.table(table)}`.execute(connection)
  })

async function contextOf(tx: UnitTx, secrets: Secrets): Promise<SeedContext> {
  const unit = await unitSettings(tx)
  const offered = await offeredProducts(tx)
  const gateway = (await unitGateways(tx)).find(({ name }) => name === 'Deferred')
  const sellers = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .orderBy('users.email')
    .select(['users.id', 'users.name'])
    .execute()
  const versions = await tx.selectFromShared('products').select(['id', 'version']).execute()
  const { version } = await tx.selectFromShared('catalogue_versions').select('version').orderBy('version', 'desc').executeTakeFirstOrThrow()
  if (!gateway || offered.length === 0 || sellers.length === 0) throw new Error('the unit sells nothing')
  return {
    products: offered.map(({ id, content, commissionPercent }) => ({
      id,
      name: content.name[languageOf(unit.locale)],
      version: versions.find(each => each.id === id)?.version ?? 1,
      tariffVersion: content.tariffVersion,
      commission: commissionPercent,
    })),
    sellers,
    gatewayId: gateway.id,
    country: unit.country,
    timeZone: unit.timeZone,
    locale: unit.locale,
    currency: unit.currency,
    catalogueVersion: version,
    sealed: (policyId, number) => sealedNumber(secrets, { unitId: tx.businessUnitId, policyId }, number),
  }
}
