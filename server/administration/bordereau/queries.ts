import { type ColumnType, type Selectable, sql } from 'kysely'
import type { ClaimCounts } from '#common/accounting/bordereau/claim-row.ts'
import type { CurrencySums } from '#common/accounting/bordereau/control-sums.ts'
import type { BordereauKind } from '#common/accounting/bordereau/row.ts'
import type { Instant, InstantOrNull, JsonOrNull, UnitId } from '#server/kit/sql/tables.ts'
import type { AllUnitsTx, ServiceTx } from '#server/kit/database.ts'
import { offsetOf, type Paging } from '#server/kit/paging.ts'
import { madeAdministrator } from '#server/session/public.ts'

type BordereauTables = {
  bordereaux: {
    id: string
    request_id: string
    kind: BordereauKind
    /** The first day of the month. */
    month: string
    units: string[]
    state: 'preparing' | 'failed' | 'prepared' | 'released'
    /** The attempt that writes the files. */
    writer: ColumnType<string | null, undefined, string>
    prepared_by: string
    prepared_at: Instant
    released_by: ColumnType<string | null, undefined, string>
    released_at: InstantOrNull
    sums: JsonOrNull<CurrencySums[]>
    /** The counts of a bordereau of claims that is written. */
    claims: JsonOrNull<ClaimCounts>
  }
  bordereau_files: { bordereau_id: string; name: string; size: number; sha256: string }
  bordereau_parts: { bordereau_id: string; name: string; position: number; content: Buffer }
  bordereau_units: { business_unit_id: UnitId; month: string; kind: BordereauKind; bordereau_id: string }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends BordereauTables {}
}

export type BordereauRow = Selectable<BordereauTables['bordereaux']>
type BordereauFile = { name: string; size: number; sha256: string }
export type Named = Omit<BordereauRow, 'writer'> & {
  prepared_name: string | null
  prepared_email: string | null
  released_name: string | null
  released_email: string | null
  files: BordereauFile[]
}

export type UnitOfMonth = { id: string; brandName: string; released: BordereauKind[] }
export type PeriodRow = { month: string; units: UnitOfMonth[]; total: number }

/** Selects the closed months, the newest first, with the units that have a statement of them. */
export async function periodRows(tx: AllUnitsTx, paging: Paging): Promise<PeriodRow[]> {
  const months = await sql<{ month: string; total: number }>`
    select to_char(month, 'YYYY-MM') as month, count(*) over ()::int as total from (select distinct month from statements) as closed
    order by closed.month desc limit ${paging.perPage} offset ${offsetOf(paging)}`.execute(tx)
  const of = months.rows.map(({ month }) => `${month}-01`)
  const { rows: units } = await sql<{ month: string; id: string; brandName: string }>`
    select distinct to_char(month, 'YYYY-MM') as month, unit.id, unit.settings->>'brandName' as "brandName", lower(unit.settings->>'brandName') as name
    from statements join business_units as unit on unit.id = statements.business_unit_id
    where month = any(${of}::date[]) order by name, unit.id`.execute(tx)
  const { rows: released } = await sql<{ month: string; id: string; kind: BordereauKind }>`
    select to_char(month, 'YYYY-MM') as month, business_unit_id as id, kind from bordereau_units
    where month = any(${of}::date[]) order by kind desc`.execute(tx)
  return months.rows.map(({ month, total }) => ({
    month,
    total,
    units: units
      .filter(unit => unit.month === month)
      .map(({ id, brandName }) => ({
        id,
        brandName,
        released: released.filter(unit => unit.month === month && unit.id === id).map(({ kind }) => kind),
      })),
  }))
}

const named = (tx: AllUnitsTx) =>
  tx
    .selectFrom('bordereaux')
    .leftJoin('users as preparer', 'preparer.id', 'bordereaux.prepared_by')
    .leftJoin('users as releaser', 'releaser.id', 'bordereaux.released_by')
    .select([
      'bordereaux.id',
      'bordereaux.request_id',
      'bordereaux.kind',
      'bordereaux.month',
      'bordereaux.units',
      'bordereaux.state',
      'bordereaux.prepared_by',
      'bordereaux.prepared_at',
      'bordereaux.released_by',
      'bordereaux.released_at',
      'bordereaux.sums',
      'bordereaux.claims',
      'preparer.name as prepared_name',
      'preparer.email as prepared_email',
      'releaser.name as released_name',
      'releaser.email as released_email',
      sql<
        Named['files']
      >`coalesce((select jsonb_agg(jsonb_build_object('name', file.name, 'size', file.size, 'sha256', file.sha256) order by file.name)
        from bordereau_files as file where file.bordereau_id = bordereaux.id), '[]')`.as('files'),
    ])

/** Returns the bordereaux of these months (YYYY-MM), the newest first. */
export const bordereauxOf = (tx: AllUnitsTx, months: readonly string[]): Promise<Named[]> =>
  months.length === 0
    ? Promise.resolve([])
    : named(tx)
        .where(
          'bordereaux.month',
          'in',
          months.map(month => `${month}-01`),
        )
        .orderBy('bordereaux.prepared_at', 'desc')
        .orderBy('bordereaux.id')
        .execute()

export const findBordereau = (tx: AllUnitsTx, id: string): Promise<Named | undefined> =>
  named(tx).where('bordereaux.id', '=', id).executeTakeFirst()

/** Returns the bordereau that a request has prepared. */
export const preparedBy = (tx: AllUnitsTx, requestId: string): Promise<Named | undefined> =>
  named(tx).where('bordereaux.request_id', '=', requestId).executeTakeFirst()

/** Locks a bordereau until the end of the transaction, so that of two releases the second sees the first. */
export const lockBordereau = (tx: AllUnitsTx, id: string): Promise<BordereauRow | undefined> =>
  tx.selectFrom('bordereaux').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** `by`: who made the user an administrator, or the user who accepted an invitation. */
export type Made = { id: string; by: string | null; at: Date }

/**
 * Returns which of these users were made administrators since then, with their makers, if these were made since then, too, and so on. Only calls
 * count: an operator's command has no request.
 */
export async function madeAdministrators(tx: AllUnitsTx, users: readonly string[], since: Date): Promise<Made[]> {
  const { rows } = await sql<Made>`
    with recursive made as (
      select object as id, user_id as by, at from audit
      where object = any(${[...users]}::text[]) and action = ${madeAdministrator} and request_id <> '' and at > ${since}
      union
      select maker.object, maker.user_id, maker.at from made
      join audit as maker on maker.object = made.by::text
      where maker.action = ${madeAdministrator} and maker.request_id <> '' and maker.at > ${since})
    select id, by, at from made`.execute(tx)
  return rows
}

export type ChosenUnit = { id: string; brandName: string; timeZone: string }

export async function chosenUnits(tx: AllUnitsTx, ids: readonly string[]): Promise<ChosenUnit[]> {
  const { rows } = await sql<ChosenUnit>`
    select id, settings->>'brandName' as "brandName", settings->>'timeZone' as "timeZone" from business_units
    where id = any(${[...ids]}::uuid[]) order by lower(settings->>'brandName'), id`.execute(tx)
  return rows
}

/** Returns the units that have a released bordereau of the kind and month. */
export const releasedUnits = async (tx: AllUnitsTx, kind: BordereauKind, month: string, ids: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    select business_unit_id as id from bordereau_units where kind = ${kind} and month = ${`${month}-01`}::date and business_unit_id = any(${[...ids]}::uuid[])`.execute(
    tx,
  )
  return new Set(rows.map(({ id }) => id))
}

type Replaced = { kind: BordereauKind; month: string; units: readonly string[]; except: string }

/** Deletes what was prepared for a month of these units and not released, except a bordereau that takes its place. */
export const deleteUnreleased = async (tx: AllUnitsTx, { kind, month, units, except }: Replaced): Promise<void> => {
  await sql`
    delete from bordereaux
    where kind = ${kind} and month = ${`${month}-01`}::date and state <> 'released' and units && ${[...units]}::uuid[] and id <> ${except}`.execute(
    tx,
  )
}

type Asked = { id: string; requestId: string; kind: BordereauKind; month: string; units: readonly string[]; userId: string; at: Date }

/** Inserts a bordereau. False if the same request came before, or at the same moment. */
export async function insertBordereau(tx: AllUnitsTx, { id, requestId, kind, month, units, userId, at }: Asked): Promise<boolean> {
  const { rows } = await sql`
    insert into bordereaux (id, request_id, kind, month, units, state, prepared_by, prepared_at)
    values (${id}, ${requestId}, ${kind}, ${`${month}-01`}::date, ${[...units]}::uuid[], 'preparing', ${userId}, ${at})
    on conflict (request_id) do nothing returning id`.execute(tx)
  return rows.length > 0
}

/** Marks a unit's month as released. False if another bordereau has it. */
export async function insertReleased(
  tx: AllUnitsTx,
  row: { unitId: string; month: string; kind: BordereauKind; bordereauId: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into bordereau_units (business_unit_id, month, kind, bordereau_id)
    values (${row.unitId}, ${row.month}::date, ${row.kind}, ${row.bordereauId})
    on conflict do nothing returning business_unit_id`.execute(tx)
  return rows.length > 0
}

export const markReleased = (tx: AllUnitsTx, id: string, released: { by: string; at: Date }): Promise<unknown> =>
  tx
    .updateTable('bordereaux')
    .set({ state: 'released', released_by: released.by, released_at: released.at })
    .where('id', '=', id)
    .where('state', '=', 'prepared')
    .execute()

/** Returns some parts of a file, in order. */
export const partsFrom = async (tx: AllUnitsTx, id: string, name: string, position: number, limit: number): Promise<Buffer[]> => {
  const rows = await tx
    .selectFrom('bordereau_parts')
    .select('content')
    .where('bordereau_id', '=', id)
    .where('name', '=', name)
    .where('position', '>=', position)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(({ content }) => content)
}

/** One node's attempt to write a bordereau. */
export type Attempt = { id: string; writer: string }

/**
 * Starts an attempt to write a bordereau. Deletes the output of an earlier attempt, which stores nothing more from now on.
 */
export async function beginWriting(tx: ServiceTx, { id, writer }: Attempt): Promise<BordereauRow | undefined> {
  const row = await tx
    .updateTable('bordereaux')
    .set({ writer, state: 'preparing' })
    .where('id', '=', id)
    .where('state', 'in', ['preparing', 'failed'])
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  await tx.deleteFrom('bordereau_parts').where('bordereau_id', '=', id).execute()
  await tx.deleteFrom('bordereau_files').where('bordereau_id', '=', id).execute()
  return row
}

/** Marks a bordereau as failed, and deletes what was written of it. No attempt writes it any more. */
export async function markFailed(tx: ServiceTx, { id, writer }: Attempt): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('bordereaux')
    .set({ writer, state: 'failed' })
    .where('id', '=', id)
    .where('state', '=', 'preparing')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await tx.deleteFrom('bordereau_parts').where('bordereau_id', '=', id).execute()
}

/** Locks the bordereau for this attempt until the end of the transaction. */
async function holdFor(tx: ServiceTx, { id, writer }: Attempt): Promise<void> {
  const held = await tx
    .selectFrom('bordereaux')
    .select('id')
    .where('id', '=', id)
    .where('writer', '=', writer)
    .where('state', '=', 'preparing')
    .forShare()
    .executeTakeFirst()
  if (!held) throw new Error('another attempt writes this bordereau')
}

export async function insertParts(tx: ServiceTx, attempt: Attempt, name: string, from: number, parts: readonly Buffer[]): Promise<void> {
  await holdFor(tx, attempt)
  await tx
    .insertInto('bordereau_parts')
    .values(parts.map((content, index) => ({ bordereau_id: attempt.id, name, position: from + index, content })))
    .execute()
}

type Content = { sums: object; claims?: ClaimCounts; files: readonly BordereauFile[] }

/** Completes a bordereau. Throws if another attempt has begun. */
export async function markPrepared(tx: ServiceTx, attempt: Attempt, { sums, claims, files }: Content): Promise<void> {
  await holdFor(tx, attempt)
  await tx
    .insertInto('bordereau_files')
    .values(files.map(file => ({ bordereau_id: attempt.id, ...file })))
    .execute()
  await tx
    .updateTable('bordereaux')
    .set({ state: 'prepared', sums: JSON.stringify(sums), ...(claims && { claims: JSON.stringify(claims) }) })
    .where('id', '=', attempt.id)
    .execute()
}
