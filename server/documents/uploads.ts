import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { fileKinds } from '#common/kit/files.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { Database, UnitTx } from '#server/kit/database.ts'
import type { InspectedFile, Keeping, KeptFile } from '#server/kit/upload/form.ts'
import { heldSince } from '#server/kit/work/jobs.ts'
import { scopeOf } from '#server/session/public.ts'
import type { Files } from './files.ts'

const kinds = ['ticket', 'upload'] as const
/** The kinds of files that users bring: to a ticket, and with a sale. */
export type UploadKind = (typeof kinds)[number]

/** The uploads of a kind, and the condition for those that belong to nothing yet. */
export type UploadsOf = { kind: UploadKind; isLoose: RawBuilder<SqlBool> }

export type LooseFile = { id: string; name: string; mediaType: string; size: number | null }

/** Reads and locks the files that belong to nothing yet, of one user if stated. */
export async function looseFiles(tx: UnitTx, { kind, isLoose }: UploadsOf, ids: string[], userId?: string): Promise<LooseFile[]> {
  const candidates = tx
    .selectFrom('files')
    .where('kind', '=', kind)
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .$if(userId !== undefined, query => query.where('user_id', '=', userId ?? ''))
  // The lock comes first. A query before it could not see what other transactions did in the meantime.
  await candidates.select('id').orderBy('id').forUpdate().execute()
  return candidates.select(['id', 'name', 'media_type as mediaType', 'size']).where(isLoose).execute()
}

/** Counts what a user uploaded since a moment, of all kinds. */
async function uploadsSince(tx: UnitTx, userId: string, since: Date): Promise<number> {
  const { many } = await tx
    .selectFrom('files')
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .where('created_at', '>', since)
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow()
  return many
}

/** Returns uploads of all units from before a moment that belong to nothing. */
const abandonedFiles = (database: Database, { kind, isLoose }: UploadsOf, before: Date): Promise<{ unit: string; id: string }[]> =>
  database.asService(tx =>
    tx
      .selectFrom('files')
      .where('kind', '=', kind)
      .where('created_at', '<', before)
      .where(isLoose)
      .select(['business_unit_id as unit', 'id'])
      .limit(1000)
      .execute(),
  )

const day = 86_400_000
/** The most files that a user may upload in a day, far more than claims and sales need. */
const mostUploads = 300

type Uploaded = { uuid: string; name: string; mediaType: string; size: number }

/** The uploads of one kind, from their inspection until they belong to a ticket or a sale. */
export type Uploads = {
  /** Stores files as soon as they are inspected. Their ticket or sale is set later. */
  keeping: Keeping
  /** Uploads one file before its ticket or sale is sent. Each file thus has its own progress and retry, and survives a reload. */
  upload: (input: { files: KeptFile[] }) => Promise<Uploaded>
  drop: (input: { ask: { fileUuid: string }; caller: CallerInUnit }) => Promise<{ deleted: boolean }>
  /**
   * Removes uploads that belong to nothing after two days, as they may hold personal data.
   * They stay while jobs are held: a restored copy may share its file store with the original, where they may be in use since.
   */
  removeAbandoned: () => Promise<void>
}

export function openUploads({ database, clock }: Pick<World, 'database' | 'clock'>, files: Files, of: UploadsOf): Uploads {
  /** Removes a file that belongs to nothing. Returns false if it was taken in the meantime. */
  async function removeLoose(tx: UnitTx, id: string, userId?: string): Promise<boolean> {
    const [file] = await looseFiles(tx, of, [id], userId)
    if (file) await files.remove(tx, file.id)
    return file !== undefined
  }
  return {
    keeping: {
      async keep({ userId, unit: { scope } }: CallerInUnit, { name, kind, mediaType, content }: InspectedFile): Promise<KeptFile> {
        const since = new Date(clock.now().getTime() - day)
        const uploads = await database.inScope(scope, tx => uploadsSince(tx, userId, since))
        if (uploads >= mostUploads) throw new Refusal('request.too_many', { retryAfter: 3600 })
        const { id, size } = await files.put(scope, { kind: of.kind, name, mediaType, content, userId })
        return { id, name, kind, size }
      },
      drop: ({ unit: { scope }, userId }, { id }) => database.inScope(scope, tx => removeLoose(tx, id, userId)),
    },
    async upload({ files: [file] }) {
      if (!file) throw refuseFields([{ path: 'files', rule: 'required', key: 'shape.required' }])
      return { uuid: file.id, name: file.name, mediaType: fileKinds[file.kind].mediaType, size: file.size }
    },
    async drop({ ask, caller: { userId, unit } }) {
      return { deleted: await database.inScope(unit.scope, tx => removeLoose(tx, ask.fileUuid, userId)) }
    },
    async removeAbandoned() {
      if (await heldSince(database.shared)) return
      for (const { unit, id } of await abandonedFiles(database, of, new Date(clock.now().getTime() - 2 * day)))
        await database.inScope(scopeOf(unit), tx => removeLoose(tx, id))
    },
  }
}
