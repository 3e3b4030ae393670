import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { type CellValue, type ColumnDef, writeXlsxStream } from 'hucre/xlsx'
import type * as calls from '#common/administration/audit-calls.ts'
import type { World } from '#server/kit/front.ts'
import { Download } from '#server/kit/http/download.ts'
import type { DownloadHandler } from '#server/kit/serve.ts'
import type { Words } from '#server/kit/words.ts'
import { audit } from '#server/session/audit.ts'
import { searchOf } from './list-audit.ts'
import { type AuditRow, auditAfter } from './rows.ts'

const batch = 1000

/** Every entry that matches, the newest first, written while it is sent: each batch is a short transaction of its own. */
export const exportAudit =
  (world: World): DownloadHandler<typeof calls.exportAudit> =>
  async asked => {
    const { ask, caller, locale } = asked
    const { allUnits } = caller
    const wanted = searchOf(ask)
    const read = (after?: AuditRow) => world.database.acrossUnits(allUnits, tx => auditAfter(allUnits, tx, wanted, after, batch))
    // Told of before it is read: what was read stands in the audit whether or not it arrived.
    await world.database.acrossUnits(allUnits, tx =>
      audit(world, tx, asked, {
        action: 'administration.audit_exported',
        outcome: 'done',
        businessUnitId: ask.businessUnitUuid,
        details: ask,
      }),
    )
    const first = await read()
    const words = world.words(locale)
    const workbook = writeXlsxStream(cellsOf(first, read), {
      name: words('administration.audit'),
      columns: columnsIn(words),
      freezePane: { rows: 1 },
    })
    return new Download({
      name: `${words('administration.audit_file', { date: world.clock.now().toISOString().slice(0, 10) })}.xlsx`,
      mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      content: Readable.fromWeb(workbook as ReadableStream),
    })
  }

async function* cellsOf(first: AuditRow[], read: (after?: AuditRow) => Promise<AuditRow[]>): AsyncGenerator<CellValue[]> {
  for (let rows = first; rows.length > 0; ) {
    for (const row of rows) yield cells(row)
    rows = rows.length < batch ? [] : await read(rows.at(-1))
  }
}

/** A spreadsheet takes no longer text. */
const longest = 32_000

const cells = (row: AuditRow): CellValue[] => [
  row.at,
  row.userName ?? '',
  row.userEmail ?? '',
  row.brandName ?? '',
  row.action,
  row.object ?? '',
  row.outcome,
  row.reason ?? '',
  row.details === null ? '' : JSON.stringify(row.details).slice(0, longest),
  row.network,
  row.userAgent,
  row.requestId,
]

const columnsIn = (words: Words): ColumnDef[] => [
  { header: words('administration.audit_at_utc'), width: 20, style: { numFmt: 'yyyy-mm-dd hh:mm:ss' } },
  { header: words('administration.name'), width: 24 },
  { header: words('administration.email'), width: 30 },
  { header: words('administration.unit'), width: 24 },
  { header: words('administration.audit_action'), width: 32 },
  { header: words('administration.audit_object'), width: 38 },
  { header: words('administration.audit_outcome'), width: 10 },
  { header: words('administration.reason'), width: 32 },
  { header: words('administration.audit_details'), width: 48 },
  { header: words('administration.audit_network'), width: 18 },
  { header: words('administration.audit_device'), width: 32 },
  { header: words('administration.audit_request'), width: 38 },
]
