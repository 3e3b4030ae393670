import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { type CellValue, type ColumnDef, writeXlsxStream } from 'hucre/xlsx'
import { today } from '#common/kit/dates.ts'
import { fromCents } from '#common/kit/money.ts'
import type * as calls from '#common/policies/calls.ts'
import { unitSettings } from '#server/business-unit/rows.ts'
import type { World } from '#server/kit/front.ts'
import { Download } from '#server/kit/http/download.ts'
import type { Asked } from '#server/kit/serve.ts'
import type { Words } from '#server/kit/words.ts'
import { audit } from '#server/session/audit.ts'
import type { PolicyRow } from '../rows.ts'
import type { StoredStatus } from '../tables.ts'
import { shapeOf } from './looks.ts'
import { type Filter, pageOfPolicies, type Sorting } from './rows.ts'

const batch = 1000

/**
 * Every policy that matches, as a workbook that is written while it is sent. Each batch is a short transaction of its own, so neither a slow
 * client nor a long export stands in a sale's way; the memory of one batch is all it takes.
 */
export async function exportPolicies(
  world: World,
  asked: Asked<typeof calls.listPolicies>,
  filter: Filter,
  sorting: Sorting[],
): Promise<Download> {
  const { caller, locale } = asked
  const { scope } = caller.unit
  await world.spend(caller, 'exports')
  const read = (after?: PolicyRow) =>
    world.database.inScope(scope, tx => pageOfPolicies(scope, tx, filter, { sorting, offset: 0, limit: batch, after }))
  // Read before the first byte is sent: what fails here is still told in words.
  const [{ timeZone }, first] = await Promise.all([world.database.inScope(scope, tx => unitSettings(scope, tx)), read()])
  await world.database.asService(tx =>
    audit(world, tx, asked, {
      action: 'policies.exported',
      outcome: 'done',
      userId: caller.userId,
      businessUnitId: scope.businessUnitId,
      details: shapeOf(filter),
    }),
  )
  const words = world.words(locale)
  const workbook = writeXlsxStream(cellsOf(first, read, timeZone, words), {
    name: words('policies.export_sheet'),
    columns: columnsIn(words),
    freezePane: { rows: 1 },
  })
  return new Download({
    name: `${words('policies.export_name', { date: today(world.clock.now(), timeZone) })}.xlsx`,
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content: Readable.fromWeb(workbook as ReadableStream),
  })
}

async function* cellsOf(
  first: PolicyRow[],
  read: (after?: PolicyRow) => Promise<PolicyRow[]>,
  timeZone: string,
  words: Words,
): AsyncGenerator<CellValue[]> {
  const statuses = statusesIn(words)
  const dayOf = daysIn(timeZone)
  for (let rows = first; rows.length > 0; ) {
    for (const row of rows) yield cells(row, statuses[row.status], dayOf(row.created_at))
    rows = rows.length < batch ? [] : await read(rows.at(-1))
  }
}

const statusesIn = (words: Words): Record<StoredStatus, string> => ({
  purchased: words('policies.status_purchased'),
  budgeted: words('policies.status_budgeted'),
  pending: words('policies.status_pending'),
  cancelled: words('policies.status_cancelled'),
  // Never listed.
  deleted: '',
})

/** A text stays a text, whatever it begins with; dates and money are what they are. */
const cells = (row: PolicyRow, status: string, createdOn: Date): CellValue[] => [
  row.number ?? '',
  row.product_name,
  row.taker,
  row.seller_name,
  new Date(row.start_date),
  new Date(row.end_date),
  createdOn,
  status,
  row.reference,
  fromCents(row.total_cents),
  row.currency,
]

const date = { numFmt: 'yyyy-mm-dd' }

const columnsIn = (words: Words): ColumnDef[] => [
  { header: words('policies.column_number'), width: 14 },
  { header: words('policies.column_product'), width: 28 },
  { header: words('policies.column_taker'), width: 32 },
  { header: words('policies.column_seller'), width: 24 },
  { header: words('policies.column_start'), width: 12, style: date },
  { header: words('policies.column_end'), width: 12, style: date },
  { header: words('policies.column_created'), width: 12, style: date },
  { header: words('policies.column_status'), width: 14 },
  { header: words('policies.column_reference'), width: 20 },
  { header: words('policies.column_total'), width: 12, style: { numFmt: '#,##0.00' } },
  { header: words('policies.column_currency'), width: 8 },
]

/** The day that it was in the agency, as a spreadsheet keeps a day. The zone's name is costly to look up, so an hour's answer is kept. */
function daysIn(timeZone: string): (instant: Date) => Date {
  const known = new Map<number, Date>()
  return instant => {
    const hour = Math.floor(instant.getTime() / 900_000)
    const day = known.get(hour) ?? new Date(today(instant, timeZone))
    if (known.size > 10_000) known.clear()
    known.set(hour, day)
    return day
  }
}
