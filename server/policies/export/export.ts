import { Readable } from 'node:stream'
import { today } from '#common/kit/dates.ts'
import type * as calls from '#common/policies/calls.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Download } from '#server/kit/http/download.ts'
import type { HandlerInput } from '#server/kit/serve.ts'
import { type Column, rowWriter } from '#server/kit/workbook/cells.ts'
import type { Mutex } from '#server/kit/workbook/mutex.ts'
import { packed } from '#server/kit/workbook/zip.ts'
import { type Batch, longestSheet } from '#server/kit/workbook/sheet.ts'
import { packedWorkbook, workbookFile } from '#server/kit/workbook/workbook.ts'
import type { Words } from '#common/kit/words/words.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import type { TaskOf } from '#server/kit/workers/workers.ts'
import { audit } from '#server/session/public.ts'
import { auditedFilter } from '../list/filter.ts'
import type { Filter, Sorting } from '../list/queries.ts'
import { seesCommission } from '../visibility.ts'
import { asArray, idsInOrder, rowsById, type RowsRead } from './queries.ts'
import { kinds, shown, type SumsByCurrency, type writeRows } from './write-rows.ts'

/** How many rows are read in one transaction. */
const batchSize = 2000

const task: TaskOf<typeof writeRows> = { module: new URL('write-rows.ts', import.meta.url).href, name: 'writeRows' }

/**
 * Exports the matching policies as a workbook that is written while it is sent. The ids are read once. Their rows follow in short
 * transactions, one at a time across all exports, so that no slow client or number of exports delays a sale. Another thread writes them.
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
  const ids = await exclusively(() => world.database.inScope(scope, tx => idsInOrder(tx, filter, sorting, longestSheet, batchSize)))
  const read = (): Promise<RowsRead> => {
    const part = ids.shift()
    if (!part) return Promise.resolve({ many: 0, rows: [] })
    return exclusively(() => world.database.inScope(scope, tx => rowsById(tx, filter.statuses, asArray(part))))
  }
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
  const look = { timeZone, statuses: statusesIn(words), showsCommission }
  const content = packedWorkbook({
    name: words('policies.export_sheet'),
    columns: columnsIn(words, showsCommission),
    batches: batchesOf(world, read, ids.length, { ...look, sumWord: words('policies.export_sum') }, () => sent.destroyed),
    longest: longestSheet,
    more: words('documents.sheet_full'),
  })
  const sent: Readable = Readable.from(content, { objectMode: false })
  return workbookFile(words('policies.export_name', { date: today(world.clock.now(), timeZone) }), sent)
}

type Look = { timeZone: string; statuses: Record<StoredStatus, string>; showsCommission: boolean; sumWord: string }

/** Reads the next batch while one is written, until the client leaves. The sums come last. */
async function* batchesOf(
  { ids: names, workers }: World,
  read: () => Promise<RowsRead>,
  batches: number,
  look: Look,
  hasLeft: () => boolean,
): AsyncGenerator<Batch> {
  // Exports take turns, also those of one user.
  const owner = names.next()
  const sums: SumsByCurrency = new Map()
  let next = read()
  for (let index = 0; index < batches; index += 1) {
    const { many, rows } = await next
    next = hasLeft() ? Promise.resolve({ many: 0, rows: [] }) : read()
    // If the client leaves now, nothing awaits this batch, so its error would be unhandled.
    next.catch(() => {})
    yield {
      many,
      pack: async (first, fitting, crc) => {
        const { sums: more, ...piece } = await workers.run(owner, task, { ...look, rows, first, many: fitting, crc })
        addTo(sums, more)
        return piece
      },
    }
  }
  yield sumsBatch(sums, look)
}

function addTo(sums: SumsByCurrency, more: SumsByCurrency): void {
  for (const [currency, { total, commission }] of more) {
    const sum = sums.get(currency)
    sums.set(currency, { total: (sum?.total ?? 0) + total, commission: (sum?.commission ?? 0) + commission })
  }
}

/** Returns a row of sums for each currency. */
function sumsBatch(sums: SumsByCurrency, { showsCommission, sumWord }: Look): Batch {
  const writeRow = rowWriter(shown(Object.values(kinds), showsCommission))
  const rows = [...sums].map(([currency, { total, commission }]) =>
    shown([sumWord, ...Array.from({ length: 8 }, () => ''), total, commission, currency], showsCommission),
  )
  const write = (first: number, many: number) => rows.slice(0, many).map((row, index) => writeRow(row, first + index))
  return { many: rows.length, pack: (first, many, crc) => packed(write(first, many), crc) }
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

const columnsIn = (words: Words, showsCommission: boolean): readonly Column[] =>
  shown(
    [
      { header: words('policies.column_number'), width: 14, kind: kinds.number },
      { header: words('policies.column_product'), width: 28, kind: kinds.product },
      { header: words('policies.column_taker'), width: 32, kind: kinds.taker },
      { header: words('policies.column_seller'), width: 24, kind: kinds.seller },
      { header: words('policies.column_start'), width: 12, kind: kinds.start },
      { header: words('policies.column_end'), width: 12, kind: kinds.end },
      { header: words('policies.column_created'), width: 12, kind: kinds.created },
      { header: words('policies.column_status'), width: 14, kind: kinds.status },
      { header: words('policies.column_reference'), width: 20, kind: kinds.reference },
      { header: words('policies.column_total'), width: 12, kind: kinds.total },
      { header: words('policies.column_commission'), width: 12, kind: kinds.commission },
      { header: words('policies.column_currency'), width: 8, kind: kinds.currency },
    ],
    showsCommission,
  )
