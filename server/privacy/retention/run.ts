import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { today } from '#common/kit/dates.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { atLeisureAlone, type Database, type PrivacyUnitTx, within } from '#server/kit/database.ts'
import { scopeOf } from '#server/session/public.ts'
import { columns } from '../registry.ts'
import { steps } from './batches.ts'
import { countDue, type DueClass, takeDue, type UnitDay } from './due.ts'
import { deleteLinks, shortenAudit, shortenMails, shortenReasons } from './texts.ts'

/** Small, so that a sale that waits for one of these rows waits for a moment only. */
const batch = 100
/** Larger, as no sale waits for rows of emails or of the audit. */
const textBatch = 2_000
/** The hour of the night, in UTC, when agencies of Europe are closed. */
const hour = 1

type Unit = UnitDay & { id: string; brandName: string }
/** Objects by agency and class, as a dry run counts them. */
export type Due = { businessUnitId: string; brandName: string; class: DueClass; objects: number }

// Safe: these are its keys.
const classes = Object.keys(steps) as DueClass[]

/** Returns the work of each round: the retention of a night, once, after its hour. A run that a crash ended is continued. */
export function openRetention(world: World, isStopping = () => false): () => Promise<void> {
  let done = ''
  return async () => {
    const now = world.businessClock.now()
    const day = today(now, 'UTC')
    if (day === done || now.getUTCHours() < hour) return
    if (!(await isDone(world, day))) {
      await runRetention(world, day, isStopping)
      if (world.database.embedded && !isStopping()) await scrub(world.database)
    }
    if (!isStopping()) done = day
  }
}

const isDone = (world: World, day: string): Promise<boolean> =>
  world.database.asPrivacy(async tx => {
    const run = await tx.selectFrom('retention_runs').select('finished_at').where('day', '=', day).executeTakeFirst()
    return run !== undefined && run.finished_at !== null
  })

/**
 * Blocks and erases everything that is due. Two nodes share the work: what one has taken, the other leaves out. A service that stops ends after the
 * batch, and the next round goes on.
 */
export async function runRetention(world: World, day: string, isStopping = () => false): Promise<void> {
  /** Pauses after each batch for as long as the batch took, so that sales go on meanwhile. */
  const repeat = async (most: number, work: () => Promise<number>): Promise<void> => {
    for (let began = performance.now(); !isStopping() && (await work()) >= most; began = performance.now())
      await delay(performance.now() - began)
  }
  for (const unit of await unitsToday(world)) {
    for (const kind of classes) await repeat(batch, () => runBatch(world, unit, kind, day))
    await repeat(textBatch, () =>
      inUnit(world, unit, async tx => counted(tx, day, { class: 'mail', what: 'erased' }, await shortenMails(tx, unit, textBatch))),
    )
    await repeat(textBatch, () => inUnit(world, unit, tx => shortenReasons(tx, day, textBatch)))
    await repeat(textBatch, () => inUnit(world, unit, tx => deleteLinks(tx, day, textBatch)))
  }
  await repeat(textBatch, () =>
    world.database.asPrivacy(async tx => {
      const shortened = await shortenAudit(tx, day, textBatch)
      await sql`
        insert into retention_runs (day, counts) values (${day}, jsonb_build_object('audit', ${shortened}::integer))
        on conflict (day) do update set counts = jsonb_build_object('audit', (retention_runs.counts->>'audit')::integer + ${shortened}::integer)`.execute(
        tx,
      )
      return shortened
    }),
  )
  if (isStopping()) return
  await world.database.asPrivacy(tx =>
    tx.updateTable('retention_runs').set({ finished_at: world.realTime.now() }).where('day', '=', day).execute(),
  )
}

/** Counts what a run would block and erase today. */
export async function dryRun(world: World): Promise<Due[]> {
  const all: Due[] = []
  for (const unit of await unitsToday(world))
    for (const kind of classes) {
      const objects = await inUnit(world, unit, tx => countDue(tx, kind, unit))
      if (objects > 0) all.push({ businessUnitId: unit.id, brandName: unit.brandName, class: kind, objects })
    }
  return all
}

/** Returns how many objects were found due. Even after a full batch there may be more. */
const runBatch = (world: World, unit: Unit, kind: DueClass, day: string): Promise<number> =>
  inUnit(world, unit, async tx => {
    const { ids, found } = await takeDue(tx, kind, unit, batch)
    if (ids.length === 0) return 0
    await steps[kind].work(world, tx, ids, unit)
    await counted(tx, day, { class: kind, what: steps[kind].what }, ids.length)
    return found
  })

const inUnit = <T>({ database }: World, { id }: Unit, work: (tx: PrivacyUnitTx) => Promise<T>): Promise<T> =>
  database.asPrivacy(tx => work(within(tx, scopeOf(id))))

/** Adds to the certificate of the day, in the transaction that did the work. */
async function counted(
  tx: PrivacyUnitTx,
  day: string,
  row: { class: string; what: 'blocked' | 'erased' },
  objects: number,
): Promise<number> {
  if (objects > 0)
    await tx
      .insertInto('retention_counts')
      .values({ ...row, day, objects })
      .onConflict(conflict =>
        conflict
          .columns(['business_unit_id', 'day', 'class', 'what'])
          .doUpdateSet({ objects: sql<number>`retention_counts.objects + ${objects}` }),
      )
      .execute()
  return objects
}

const unitsToday = (world: World): Promise<Unit[]> =>
  world.database.asPrivacy(async tx => {
    const rows = await tx.selectFrom('business_units').select(['id', 'settings']).orderBy('id').execute()
    return rows.map(({ id, settings }) => {
      // Safe: this column is written with validated settings only.
      const { country, timeZone, brandName } = settings as UnitSettings
      return { id, brandName, country, timeZone, today: today(world.businessClock.now(), timeZone) }
    })
  })

/** Tables with columns about persons. */
const personal = Object.keys(columns).filter(table => Object.keys(columns[table] ?? {}).some(kind => kind !== 'none'))

/** Rewriting so many bytes takes a second or two, in which every call waits. */
const mostBytes = 32 * 1024 * 1024

/**
 * Removes from the embedded database's files what was erased from its tables. PostgreSQL only marks rows as dead: their bytes stay in the pages, in the
 * samples of the statistics and in used files of the log. Larger tables keep them until new rows take their place (docs/privacy.md).
 */
export async function scrub(database: Database): Promise<void> {
  const once = (statement: ReturnType<typeof sql>) => atLeisureAlone(database, db => statement.execute(db))
  for (const table of [...personal, 'pg_statistic']) {
    const { rows } = await once(sql`select pg_total_relation_size(${table}::regclass) as bytes`)
    // Safe: the query returns it.
    const [size] = rows as { bytes: number }[]
    if (Number(size?.bytes) <= mostBytes) await once(sql`vacuum (full) ${sql.table(table)}`)
  }
  await atLeisureAlone(database, async db => {
    await sql`set wal_recycle = off`.execute(db)
    await sql`select pg_switch_wal()`.execute(db)
    await sql`checkpoint`.execute(db)
  })
}
