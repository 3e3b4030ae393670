import { refuseFields } from '#common/kit/refusals.ts'
import { mostFiles } from '#common/tickets/ticket.ts'
import { type Files, type LooseFile, looseFiles, openUploads } from '#server/documents/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { KeptFile } from '#server/kit/upload/form.ts'
import { attachFiles, ticketUploads } from './queries.ts'

/** Attaches files to a ticket or one of its messages, both this request's and the ones uploaded before. */
export async function attach(
  tx: UnitTx,
  to: { ticketId: string; position: number },
  { caller, files, ask }: { caller: CallerInUnit; files: KeptFile[]; ask: { fileUuids?: string[] | undefined } },
): Promise<LooseFile[]> {
  const ids = [...new Set([...files.map(({ id }) => id), ...(ask.fileUuids ?? []).map(id => id.toLowerCase())])]
  if (ids.length > mostFiles)
    throw refuseFields([{ path: 'fileUuids', rule: 'maxLength', key: 'shape.too_long', params: { limit: mostFiles } }])
  const loose = await looseFiles(tx, ticketUploads, ids, caller.userId)
  const found = ids.map(id => loose.find(file => file.id === id))
  const gone = (ask.fileUuids ?? []).flatMap((id, index) =>
    loose.some(file => file.id === id.toLowerCase()) ? [] : [{ path: `fileUuids[${index}]`, rule: 'known', key: 'tickets.file_gone' }],
  )
  if (gone.length > 0) throw refuseFields(gone)
  await attachFiles(tx, to.ticketId, to.position, ids)
  return found.filter(file => file !== undefined)
}

export const removeAbandonedFiles = (world: World, files: Files): Promise<void> =>
  openUploads(world, files, ticketUploads).removeAbandoned()
