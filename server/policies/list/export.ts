import { Readable } from 'node:stream'
import { today } from '#common/kit/dates.ts'
import type * as calls from '#common/policies/calls.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Download } from '#server/kit/http/download.ts'
import type { HandlerInput } from '#server/kit/serve.ts'
import { daysIn } from '#server/kit/workbook/days.ts'
import type { Mutex } from '#server/kit/workbook/mutex.ts'
import type { Words } from '#server/kit/words.ts'
import { type Column, longestSheet, type Row, workbook, workbookFile } from '#server/kit/workbook/workbook.ts'
import { audit } from '#server/session/public.ts'
import type { StoredStatus } from '../tables.ts'
import { auditedFilter } from './audit-filter.ts'
import { seesCommission } from '../visibility.ts'
import { type ExportedRow, exportedById, type Filter, idsAt, idsInOrder, countIds, type Sorting } from './queries.ts'

const batch = 500

/**
 * Exports the matching policies as a workbook that is written while it is sent. The ids are read once. Their rows follow in short
 * transactions, one at a time across all exports, so that no slow client or number of exports delays a sale.
 */
export async function exportPolicies(
  world: World,
  exclusively: Mutex,
  input: HandlerInput<typeof calls.listPolicies>,
  filter: Filter,
  sorting: Sorting[],
): Promise<Download> {
  const { caller, locale } = input
  const { scope } = caller.unit
  await world.spend(caller, 'exports')
  const showsCommission = seesCommission(caller)
  // Read before the first byte is sent, so that an error still gets an error response.
  const ids = await exclusively(() => world.database.inScope(scope, tx => idsInOrder(tx, filter, sorting, longestSheet)))
  const read = (offset: number) =>
    exclusively(() => world.database.inScope(scope, tx => exportedById(tx, filter.statuses, idsAt(ids, offset, batch))))
  const { timeZone } = await world.database.inScope(scope, tx => unitSettings(tx))
  await world.database.asService(tx =>
    audit(world, tx, input, {
      action: 'policies.exported',
      outcome: 'done',
      userId: caller.userId,
      businessUnitId: scope.businessUnitId,
      details: auditedFilter(filter),
    }),
  )
  const words = world.words(locale)
  const content = workbook({
    name: words('policies.export_sheet'),
    columns: shown(columnsIn(words), showsCommission),
    rows: rowsOf(read, countIds(ids), rowWriter(words, timeZone, showsCommission), () => sent.destroyed),
    longest: longestSheet,
    more: words('documents.sheet_full'),
  })
  const sent: Readable = Readable.from(content, { objectMode: false })
  return workbookFile(words('policies.export_name', { date: today(world.clock.now(), timeZone) }), sent)
}

/** Reads the next batch while one is written, unless the client has left. */
async function* rowsOf(
  read: (offset: number) => Promise<ExportedRow[]>,
  total: number,
  { rowOf, sums }: RowWriter,
  hasLeft: () => boolean,
): AsyncGenerator<Row[]> {
  let next = total > 0 ? read(0) : Promise.resolve([])
  for (let offset = 0; offset < total; offset += batch) {
    const rows = await next
    next = offset + batch < total && !hasLeft() ? read(offset + batch) : Promise.resolve([])
    // If the client leaves now, nothing awaits this batch, so its error would be unhandled.
    next.catch(() => {})
    yield rows.map(rowOf)
  }
  yield sums()
}

/** The index of the commission among the columns. */
const commissionAt = 10

const shown = <Each>(cells: Each[], showsCommission: boolean): Each[] => (showsCommission ? cells : cells.toSpliced(commissionAt, 1))

type RowWriter = { rowOf: (row: ExportedRow) => Row; sums: () => Row[] }

/** Writes the rows, and at the end their sums: one row for each currency. */
function rowWriter(words: Words, timeZone: string, showsCommission: boolean): RowWriter {
  const statuses = statusesIn(words)
  const dayOf = daysIn(timeZone)
  const sums = new Map<string, { total: number; commission: number }>()
  const cellsOf = (row: ExportedRow): Row => [
    row.number ?? '',
    row.product_name,
    row.taker,
    row.seller_name,
    row.start_date,
    row.end_date,
    dayOf(row.created_at),
    statuses[row.status],
    row.reference,
    row.total_cents,
    row.commission_cents,
    row.currency,
  ]
  return {
    rowOf(row) {
      const { total, commission } = sums.get(row.currency) ?? { total: 0, commission: 0 }
      sums.set(row.currency, { total: total + row.total_cents, commission: commission + row.commission_cents })
      return shown(cellsOf(row), showsCommission)
    },
    sums: () =>
      [...sums].map(([currency, { total, commission }]) =>
        shown([words('policies.export_sum'), ...Array.from({ length: 8 }, () => ''), total, commission, currency], showsCommission),
      ),
  }
}

const statusesIn = (words: Words): Record<StoredStatus, string> => ({
  purchased: words('policies.status_purchased'),
  budgeted: words('policies.status_budgeted'),
  pending: words('policies.status_pending'),
  cancelled: words('policies.status_cancelled'),
  // Never listed.
  deleted: '',
  blocked: '',
})

const columnsIn = (words: Words): Column[] => [
  { header: words('policies.column_number'), width: 14, kind: 'text' },
  { header: words('policies.column_product'), width: 28, kind: 'text' },
  { header: words('policies.column_taker'), width: 32, kind: 'text' },
  { header: words('policies.column_seller'), width: 24, kind: 'text' },
  { header: words('policies.column_start'), width: 12, kind: 'day' },
  { header: words('policies.column_end'), width: 12, kind: 'day' },
  { header: words('policies.column_created'), width: 12, kind: 'day' },
  { header: words('policies.column_status'), width: 14, kind: 'text' },
  { header: words('policies.column_reference'), width: 20, kind: 'text' },
  { header: words('policies.column_total'), width: 12, kind: 'amount' },
  { header: words('policies.column_commission'), width: 12, kind: 'amount' },
  { header: words('policies.column_currency'), width: 8, kind: 'text' },
]
