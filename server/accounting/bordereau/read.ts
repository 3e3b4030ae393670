import { createHmac } from 'node:crypto'
import type { OtherSums } from '#common/accounting/bordereau.ts'
import { type DeedFacts, type KnownTaxes, type ReadDeed, readDeed } from '#common/accounting/bordereau-row.ts'
import type { Entry } from '#common/accounting/entries.ts'
import { readDate } from '#common/kit/dates.ts'
import { toCents } from '#common/kit/money.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { scopeOf } from '#server/session/public.ts'
import { spanOf } from '../detail/queries.ts'
import { termsOf } from '../limit/queries.ts'
import type { Place, Span } from '../queries.ts'
import { bookSums, type DeedRow, deedsAfter, isOpen, keyOfUnit, statementsOfMonth, taxesOfEdition } from './queries.ts'

/** The deeds of a batch, read in one short transaction. */
const usualBatch = 2000

type Statement = { number: string; currency: string; span: Span; sums: OtherSums }

/** A unit's closed month: its statements, and what each row says of the unit. */
export type UnitMonth = { scope: Scope; unit: string; country: number; timeZone: string; withNames: boolean; statements: Statement[] }

/** The sums of a unit's deeds in one currency, by its statement and by the money book. */
export type UnitSums = { currency: string; statement: OtherSums; book: OtherSums }

/** True if the unit's month is not closed though it has deeds. */
export const openMonthOf = async (tx: UnitTx, month: string): Promise<boolean> => isOpen(tx, month, (await unitSettings(tx)).timeZone)

/** Reads the closed month of a unit that a bordereau has. Nothing is read of its deeds but their sums. */
export const monthOfUnit = (world: World, unitId: string, month: string): Promise<UnitMonth & { sums: UnitSums[] }> =>
  world.database.inScope(scopeOf(unitId), tx => readMonth(tx, month))

async function readMonth(tx: UnitTx, month: string): Promise<UnitMonth & { sums: UnitSums[] }> {
  const key = await keyOfUnit(tx)
  const { timeZone, address } = await unitSettings(tx)
  const rows = await statementsOfMonth(tx, month)
  const statements = await Promise.all(
    rows.map(async row => ({
      number: row.number,
      currency: row.currency,
      span: await spanOf(tx, row),
      sums: { rows: row.deeds, gross: row.gross_cents, commission: row.earned_cents },
    })),
  )
  const sums = await Promise.all(
    statements.map(async ({ currency, span, sums }) => ({ currency, statement: sums, book: await bookSums(tx, span) })),
  )
  return {
    scope: tx.scope,
    unit: key,
    country: address.country,
    timeZone,
    withNames: (await termsOf(tx))?.names_in_bordereau ?? false,
    statements,
    sums,
  }
}

/**
 * Reads the deeds of a unit's closed month in batches, each in a short transaction, so that no number of rows fills the memory or delays a sale. The
 * next batch is read while one is written.
 */
export async function* deedsOfMonth(world: World, month: UnitMonth, batch = usualBatch): AsyncGenerator<ReadDeed[]> {
  const namesKey = world.secrets.derive('insured names')
  const taxes = new Map<number, KnownTaxes>()
  for (const statement of month.statements) {
    const read = (after?: Place) =>
      world.database.inScope(month.scope, async tx => {
        const rows = await deedsAfter(tx, statement.span, month.timeZone, after, batch)
        for (const version of new Set(rows.map(row => row.catalogue_version)))
          if (!taxes.has(version)) taxes.set(version, await taxesOfEdition(tx, version))
        return rows
      })
    let next = read()
    for (;;) {
      const rows = await next
      const isLast = rows.length < batch
      next = isLast ? Promise.resolve([]) : read(rows.at(-1))
      // If the writer fails now, nothing awaits this batch, so its error would be unhandled.
      next.catch(() => {})
      yield rows.map(row => readDeed(factsOf(row, month, statement, namesKey), taxes.get(row.catalogue_version) ?? new Map()))
      if (isLast) break
    }
  }
}

function factsOf(row: DeedRow, month: UnitMonth, statement: Statement, namesKey: Buffer): DeedFacts {
  const { trip } = row
  const { scope, unit, country, withNames } = month
  const person = row.document_number ?? row.person_id ?? row.policy_id
  return {
    id: row.id,
    month: row.day.slice(0, 7),
    day: row.day,
    kind: row.kind,
    unit,
    unitCountry: country,
    product: row.product,
    certificate: row.number ?? '',
    version: row.version,
    startDate: readDate(trip?.startDate) ?? '',
    endDate: readDate(trip?.endDate) ?? '',
    insured: {
      name: withNames ? row.company_name || row.holder_name || '' : pseudonym(namesKey, `${scope.businessUnitId} ${person}`),
      country: row.residence_country ?? country,
      isCompany: Boolean(row.company_name),
    },
    zone: row.zone ?? '',
    travellers: row.pax_number,
    sumInsuredCents: toCents(trip?.insurancedAmount) ?? null,
    currency: statement.currency,
    entries: entriesOf(row),
    cancellationCents: row.cancellation_cents,
    cumulativeCents: row.total_cents,
    commissionPercent: row.commission_rate === null ? null : Number(row.commission_rate),
    way: row.way,
    statement: statement.number,
  }
}

const entriesOf = ({ insurer_premium, commission_payable, taxes }: DeedRow): Entry[] => [
  { account: 'insurer_premium', cents: insurer_premium },
  { account: 'commission_payable', cents: commission_payable },
  ...Object.entries(taxes).map(([code, cents]): Entry => ({ account: `tax:${code}`, cents })),
]

/** Names an insured person without saying who it is: the same person of an agency has the same name in every file. */
const pseudonym = (key: Buffer, person: string): string =>
  `P-${createHmac('sha256', key).update(person).digest('hex').slice(0, 20).toUpperCase()}`
