import { type FileKind, fileKinds } from '#common/documents/kinds.ts'
import type { Database } from '#server/kit/database.ts'
import { isDocument } from '#common/documents/kinds.ts'
import type { FileStore } from '../store.ts'
import { describeLost, filesBehind, isLogoKept, type ContentRow } from './queries.ts'

export type Survey = {
  kinds: { kind: FileKind; files: number; missing: number; lost: number }[]
  /** Lost uploads. The service cannot recreate them. */
  lost: { kind: FileKind; unit: string; of: string | null; file: string }[]
}

const page = 1000
/** Files checked in the store at the same time. */
const parallel = 16

/** Checks that the store has the content of every file in the database. Changes nothing. */
export async function survey(database: Database, store: FileStore): Promise<Survey> {
  const result: Survey = { kinds: fileKinds.map(kind => ({ kind, files: 0, missing: 0, lost: 0 })), lost: [] }
  // All policies of a product may share one content.
  const shared = new Map<string, Promise<boolean>>()

  function isInStore({ business_unit_id, kind, content_id }: ContentRow): Promise<boolean> {
    const name = `${business_unit_id}/${content_id}`
    const exists = shared.get(name) ?? store.has(name)
    if (kind === 'information' || kind === 'conditions') shared.set(name, exists)
    return exists
  }

  async function inspect(file: ContentRow): Promise<void> {
    const counts = result.kinds.find(({ kind }) => kind === file.kind)
    if (!counts) return
    counts.files += 1
    if (await isInStore(file)) return
    counts.missing += 1
    if (isDocument(file.kind) || (file.kind === 'logo' && (await database.asService(tx => isLogoKept(tx, file))))) return
    counts.lost += 1
    const described = await database.asService(tx => describeLost(tx, file))
    result.lost.push({ kind: file.kind, ...described, file: file.id })
  }

  let last: ContentRow | undefined
  do {
    const files: ContentRow[] = await database.atLeisure(tx => filesBehind(tx, last, page))
    for (let from = 0; from < files.length; from += parallel) await Promise.all(files.slice(from, from + parallel).map(inspect))
    last = files.length < page ? undefined : files.at(-1)
  } while (last)
  return { kinds: result.kinds.filter(({ files }) => files > 0), lost: result.lost }
}

/** Formats a survey for the operator: counts by kind, and each lost file by unit, ticket or policy, and id. Contains no name. */
export function surveyReport({ kinds, lost }: Survey): string {
  const rows = kinds.map(({ kind, files, missing, lost }) => [
    kind,
    `${files} files`,
    missing === 0
      ? 'all there'
      : `${missing} missing: ${[missing - lost > 0 && `${missing - lost} made again when asked for`, lost > 0 && `${lost} lost`].filter(Boolean).join(', ')}`,
  ])
  const listed = lost.map(
    ({ kind, unit, of, file }) => `  ${kind}  ${unit}  ${of ?? (kind === 'upload' ? 'not sold' : 'no ticket')}  file ${file}`,
  )
  return [
    ...rows.map(([kind = '', files = '', state = '']) => `${kind.padEnd(12)} ${files.padStart(14)}  ${state}`),
    ...(lost.length > 0
      ? ['Lost, as people brought them. Copy them into the store from wherever they still are, or ask for them again:', ...listed.sort()]
      : ['Nothing is lost for good.']),
  ].join('\n')
}
