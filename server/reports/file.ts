import { Readable } from 'node:stream'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/reports/calls.ts'
import { ownOnly } from '#server/kit/caller.ts'
import type { World } from '#server/kit/app-context.ts'
import { Download } from '#server/kit/http/download.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { DownloadHandler } from '#server/kit/serve.ts'
import { workbookFile } from '#server/kit/workbook/workbook.ts'
import { audit } from '#server/session/public.ts'
import { findReport, isFor, partsFrom } from './queries.ts'

/** Sends the file of a report while it is read, or says that there is none yet. */
export const reportFile =
  (world: World): DownloadHandler<typeof calls.reportFile> =>
  async input => {
    const { ask, caller, locale } = input
    const { scope } = caller.unit
    const row = await world.database.inScope(scope, async tx => {
      const found = await findReport(tx, ask.uuid)
      if (!found || !isFor(found, caller.userId, ownOnly(caller) !== undefined)) throw new Refusal('request.not_found')
      if (found.state === 'ready') {
        const { choice, from_day: from, to_day: to } = found
        const details = { report: choice.report, format: choice.format, from, to }
        await audit(world, tx, input, { action: 'report.downloaded', outcome: 'done', object: found.id, details })
      }
      return found
    })
    if (row.state !== 'ready') return { state: row.state }
    const { choice, from_day: from, to_day: to } = row
    const name = world.words(locale)('reports.file_name', { report: choice.report, from, to })
    const content = Readable.from(partsOf(world, scope, row.id, row.attempt ?? 0), { objectMode: false })
    return choice.format === 'csv' ? new Download({ name: `${name}.csv`, mediaType: 'text/csv', content }) : workbookFile(name, content)
  }

/** How many parts are read at a time: a megabyte. */
const batch = 32

async function* partsOf({ database }: World, scope: Scope, id: string, attempt: number): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += batch) {
    const parts = await database.inScope(scope, tx => partsFrom(tx, id, attempt, position, batch))
    yield* parts
    if (parts.length < batch) return
  }
}
