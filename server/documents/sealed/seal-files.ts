import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { World } from '#server/kit/app-context.ts'
import type { Database } from '#server/kit/database.ts'
import { DamagedSeal } from '#server/kit/store/chunks.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { scopeOf } from '#server/session/public.ts'
import { type FileStore, NoSuchContent } from '../store.ts'
import { openContent, sealContent } from './content.ts'
import { filesToSeal, keysOfFiles, noteSealed, type SealedRow } from './queries.ts'

type Outcome = 'sealed' | 'already sealed' | 'missing' | 'damaged'
/** How many files had each outcome, and the ids of those that are damaged. */
export type Sealing = Record<Outcome, number> & { ids: string[] }

const page = 500
/** How many files are encrypted at the same time. Each is in memory, up to 10 MB. */
const parallel = 4

/**
 * Encrypts every file of the encrypted kinds with the present key, whatever the database says: the store may be an older copy. Users may work
 * meanwhile.
 */
export async function sealFiles(database: Database, store: FileStore, secrets: Secrets): Promise<Sealing> {
  const counts: Sealing = { sealed: 0, 'already sealed': 0, missing: 0, damaged: 0, ids: [] }
  let last: SealedRow | undefined
  do {
    const files: SealedRow[] = await database.atLeisure(tx => filesToSeal(tx, last, page))
    for (let from = 0; from < files.length; from += parallel)
      await Promise.all(
        files.slice(from, from + parallel).map(async file => {
          const outcome = await sealFile(database, store, secrets, file)
          counts[outcome] += 1
          if (outcome === 'damaged') counts.ids.push(file.id)
        }),
      )
    last = files.length < page ? undefined : files.at(-1)
  } while (last)
  return counts
}

async function sealFile(database: Database, store: FileStore, secrets: Secrets, file: SealedRow): Promise<Outcome> {
  const name = `${file.business_unit_id}/${file.content_id}`
  const note = () => database.inScope(scopeOf(file.business_unit_id), tx => noteSealed(tx, file.content_id, secrets.sealedBy))
  try {
    const opened = await openContent(secrets, name, await store.read(name))
    if (opened.sealedBy === secrets.sealedBy) {
      opened.stream.destroy()
      if (file.sealed_by !== secrets.sealedBy) await note()
      return 'already sealed'
    }
    const content = await buffer(opened.stream)
    if (createHash('sha256').update(content).digest('hex') !== file.sha256) return 'damaged'
    await store.put(name, await sealContent(secrets, name, content), 'application/octet-stream')
    // The file was deleted meanwhile, and must not come back.
    if (!(await note())) await store.remove(name)
    return 'sealed'
  } catch (error) {
    if (error instanceof NoSuchContent) return 'missing'
    if (error instanceof DamagedSeal) return 'damaged'
    throw error
  }
}

export function sealingReport({ ids, ...counts }: Sealing): string {
  const lines = Object.entries(counts).map(([outcome, files]) => `${outcome.padEnd(14)} ${files}`)
  return [
    'Files of tickets, documents of policies and saved quotes, and copies of personal data:',
    ...lines,
    ...(ids.length > 0 ? ['Damaged files, which were left as they are:', ...ids.toSorted()] : []),
  ].join('\n')
}

/**
 * Throws at the start if a key of encrypted files is missing, instead of later at a user's download. Reports files that are not encrypted with the
 * present key.
 */
export async function checkSealed({ database, secrets }: Pick<World, 'database' | 'secrets'>, say?: (text: string) => void): Promise<void> {
  const keys = await database.asService(keysOfFiles)
  for (const key of keys) if (key !== null) secrets.demandKey(key)
  if (keys.some(key => key !== secrets.sealedBy))
    say?.(
      'Some files of claims and requests, documents of policies, or copies of personal data are not sealed by the present key. Seal them with npm run files -- seal',
    )
}
