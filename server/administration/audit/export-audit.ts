import { Readable } from 'node:stream'
import type * as calls from '#common/administration/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { DownloadHandler } from '#server/kit/serve.ts'
import type { Column, Row } from '#server/kit/workbook/cells.ts'
import { longestSheet } from '#server/kit/workbook/sheet.ts'
import { workbook, workbookFile } from '#server/kit/workbook/workbook.ts'
import type { Words } from '#common/kit/words/words.ts'
import { audit } from '#server/session/public.ts'
import { searchOf } from './list-audit.ts'
import { type AuditRow, auditAfter } from './queries.ts'

const batch = 1000

/** Exports all matching entries, newest first. Rows are written while they are sent, each batch from a short transaction. */
export const exportAudit =
  (world: World): DownloadHandler<typeof calls.exportAudit> =>
  async input => {
    const { ask, caller, locale } = input
    const { allUnits } = caller
    const wanted = searchOf(ask)
    const read = (after?: AuditRow) => world.database.acrossUnits(allUnits, tx => auditAfter(tx, wanted, after, batch))
    // The audit entry is written first, so it exists whether or not the export arrives.
    await world.database.acrossUnits(allUnits, tx =>
      audit(world, tx, input, {
        action: 'administration.audit_exported',
        outcome: 'done',
        businessUnitId: ask.businessUnitUuid,
        details: ask,
      }),
    )
    const first = await read()
    const words = world.words(locale)
    const content = workbook({
      name: words('administration.audit'),
      columns: columnsIn(words),
      rows: rowsOf(first, read),
      longest: longestSheet,
      more: words('documents.sheet_full'),
    })
    const name = words('administration.audit_file', { date: world.realTime.now().toISOString().slice(0, 10) })
    return workbookFile(name, Readable.from(content, { objectMode: false }))
  }

async function* rowsOf(first: AuditRow[], read: (after?: AuditRow) => Promise<AuditRow[]>): AsyncGenerator<Row[]> {
  for (let rows = first; rows.length > 0; ) {
    yield rows.map(rowOf)
    rows = rows.length < batch ? [] : await read(rows.at(-1))
  }
}

const rowOf = (row: AuditRow): Row => [
  row.at.getTime(),
  row.userName ?? '',
  row.userEmail ?? '',
  row.brandName ?? '',
  row.action,
  row.object ?? '',
  row.outcome,
  row.reason ?? '',
  row.details === null ? '' : JSON.stringify(row.details),
  row.network,
  row.userAgent,
  row.requestId,
]

const columnsIn = (words: Words): Column[] => [
  { header: words('administration.audit_at_utc'), width: 20, kind: 'moment' },
  { header: words('administration.name'), width: 24, kind: 'text' },
  { header: words('administration.email'), width: 30, kind: 'text' },
  { header: words('administration.unit'), width: 24, kind: 'text' },
  { header: words('administration.audit_action'), width: 32, kind: 'text' },
  { header: words('administration.audit_object'), width: 38, kind: 'text' },
  { header: words('administration.audit_outcome'), width: 10, kind: 'text' },
  { header: words('administration.reason'), width: 32, kind: 'text' },
  { header: words('administration.audit_details'), width: 48, kind: 'text' },
  { header: words('administration.audit_network'), width: 18, kind: 'text' },
  { header: words('administration.audit_device'), width: 32, kind: 'text' },
  { header: words('administration.audit_request'), width: 38, kind: 'text' },
]
