import { Readable } from 'node:stream'
import type * as calls from '#common/accounting/calls.ts'
import {
  type EarnedRow,
  findStatement,
  linesOf,
  nettingIn,
  type PaymentRow,
  paymentsOf,
  type Span,
  spanOf,
  type StatementRow,
} from '#server/accounting/public.ts'
import { unitSettings, type UnitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { Download } from '#server/kit/http/download.ts'
import type { DownloadHandler, HandlerInput } from '#server/kit/serve.ts'
import { type Mutex, openMutex } from '#server/kit/workbook/mutex.ts'
import { longestSheet } from '#server/kit/workbook/sheet.ts'
import { csv, workbook, workbookFile } from '#server/kit/workbook/workbook.ts'
import { audit } from '#server/session/public.ts'
import type { Renderer } from '../typesetting/renderer.ts'
import { readStatementFacts, statementDocument } from './document.ts'
import { columnsIn, rowsOf } from './sheet.ts'

const batch = 1000

type Input = HandlerInput<typeof calls.accountingStatementFile>

/** Sends a statement as a document, or all its lines as a workbook or CSV, which are written while they are sent. */
export const statementFile = (world: World, renderer: Renderer): DownloadHandler<typeof calls.accountingStatementFile> => {
  const exclusively = openMutex()
  return async input => {
    const { ask, caller, locale } = input
    await world.spend(caller, 'exports')
    const words = world.words(locale)
    const { row, span, unit, facts, netting, payments } = await world.database.inScope(caller.unit.scope, async tx => {
      const { row } = await findStatement(world, tx, caller, ask.number)
      const span = await spanOf(tx, row)
      await audit(world, tx, input, {
        action: 'accounting.exported',
        outcome: 'done',
        object: row.id,
        details: { statement: row.number, format: ask.format, lines: row.deeds },
      })
      const unit = await unitSettings(tx)
      const settled = { netting: await nettingIn(tx, span), payments: await paymentsOf(tx, span, { since: false }) }
      return {
        row,
        span,
        unit,
        ...settled,
        facts: ask.format === 'pdf' ? await readStatementFacts(tx, { row, span, unit, locale }, settled) : undefined,
      }
    })
    const name = words('documents.statement.name', { number: row.number })
    if (facts)
      return new Download({
        name: `${name}.pdf`,
        mediaType: 'application/pdf',
        content: (await renderer.render(caller.unit.scope.businessUnitId, statementDocument(facts, locale, words))).content,
      })
    return listed(world, exclusively, input, { row, span, unit, netting, payments, name })
  }
}

type Opened = { row: StatementRow; span: Span; unit: UnitSettings; netting: number; payments: PaymentRow[]; name: string }

/** Reads the lines in short transactions, one at a time across all files, so that no slow client or number of files delays a sale. */
function listed(world: World, exclusively: Mutex, { ask, caller, locale }: Input, opened: Opened): Download {
  const { row, span, unit, netting, payments, name } = opened
  const { scope } = caller.unit
  const words = world.words(locale)
  const read = (after: EarnedRow | undefined) =>
    exclusively(() => world.database.inScope(scope, tx => linesOf(tx, span, { after, limit: batch })))
  const columns = columnsIn(words)
  const rows = rowsOf(read, row, { words, timeZone: unit.timeZone, netting, payments }, () => sent.destroyed)
  const content =
    ask.format === 'csv'
      ? csv({ columns, rows, locale })
      : workbook({ name: row.number, columns, rows, longest: longestSheet, more: words('documents.sheet_full') })
  const sent: Readable = Readable.from(content, { objectMode: false })
  return ask.format === 'csv' ? new Download({ name: `${name}.csv`, mediaType: 'text/csv', content: sent }) : workbookFile(name, sent)
}
