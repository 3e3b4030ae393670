import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { Files } from '#server/documents/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { heldSince } from '#server/kit/work/hold.ts'
import type { InspectedFile, Keeping, KeptFile } from '#server/kit/upload/form.ts'
import { scopeOf } from '#server/session/public.ts'
import type * as calls from '#common/tickets/calls.ts'
import { fileKinds } from '#common/kit/files.ts'
import { mostFiles } from '#common/tickets/ticket.ts'
import { attachFiles, uploadsSince, abandonedFiles, type LooseFile, looseFiles } from './queries.ts'

const day = 86_400_000
/** The most files that a user may upload in a day, far more than a claim needs. */
const mostUploads = 300

/** Stores files as soon as they are inspected. Their ticket is set later. */
export const keeping = ({ database, clock }: World, files: Files): Keeping => ({
  async keep({ userId, unit: { scope } }: CallerInUnit, { name, kind, mediaType, content }: InspectedFile): Promise<KeptFile> {
    const since = new Date(clock.now().getTime() - day)
    const uploads = await database.inScope(scope, tx => uploadsSince(tx, userId, since))
    if (uploads >= mostUploads) throw new Refusal('request.too_many', { retryAfter: 3600 })
    const { id, size } = await files.put(scope, { kind: 'ticket', name, mediaType, content, userId })
    return { id, name, kind, size }
  },
  drop: ({ unit: { scope }, userId }, { id }) => database.inScope(scope, tx => removeLoose(files, tx, id, userId)),
})

/** Uploads one file before its ticket is sent. Each file thus has its own progress and retry, and survives a reload. */
export const upload: Handler<typeof calls.uploadTicketFile> = async ({ files: [file] }) => {
  if (!file) throw refuseFields([{ path: 'files', rule: 'required', key: 'shape.required' }])
  return { uuid: file.id, name: file.name, mediaType: fileKinds[file.kind].mediaType, size: file.size }
}

export const drop =
  ({ database }: World, files: Files): Handler<typeof calls.dropTicketFile> =>
  async ({ ask, caller }) => {
    const { scope } = caller.unit
    return { deleted: await database.inScope(scope, tx => removeLoose(files, tx, ask.fileUuid, caller.userId)) }
  }

/** Removes a file that no ticket has. Returns false if a ticket took it in the meantime. */
async function removeLoose(files: Files, tx: UnitTx, id: string, userId?: string): Promise<boolean> {
  const [file] = await looseFiles(tx, [id], userId)
  if (file) await files.remove(tx, file.id)
  return file !== undefined
}

/** Attaches files to a ticket or one of its messages, both this request's and the ones uploaded before. */
export async function attach(
  tx: UnitTx,
  to: { ticketId: string; position: number },
  { caller, files, ask }: { caller: CallerInUnit; files: KeptFile[]; ask: { fileUuids?: string[] | undefined } },
): Promise<LooseFile[]> {
  const ids = [...new Set([...files.map(({ id }) => id), ...(ask.fileUuids ?? []).map(id => id.toLowerCase())])]
  if (ids.length > mostFiles)
    throw refuseFields([{ path: 'fileUuids', rule: 'maxLength', key: 'shape.too_long', params: { limit: mostFiles } }])
  const loose = await looseFiles(tx, ids, caller.userId)
  const found = ids.map(id => loose.find(file => file.id === id))
  const gone = (ask.fileUuids ?? []).flatMap((id, index) =>
    loose.some(file => file.id === id.toLowerCase()) ? [] : [{ path: `fileUuids[${index}]`, rule: 'known', key: 'tickets.file_gone' }],
  )
  if (gone.length > 0) throw refuseFields(gone)
  await attachFiles(tx, to.ticketId, to.position, ids)
  return found.filter(file => file !== undefined)
}

/**
 * Removes uploads that no ticket took within two days, as they may hold personal data.
 * They stay while jobs are held: a restored copy may share its file store with the original, where a ticket may have taken them since.
 */
export async function removeAbandonedFiles({ database, clock }: World, files: Files): Promise<void> {
  if (await heldSince(database.shared)) return
  for (const { unit, id } of await abandonedFiles(database, new Date(clock.now().getTime() - 2 * day))) {
    const scope = scopeOf(unit)
    await database.inScope(scope, tx => removeLoose(files, tx, id))
  }
}
