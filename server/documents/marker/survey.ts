import { type FileKind, fileKinds } from '#common/documents/kinds.ts'
import type { Database } from '#server/kit/database.ts'
import { isOurs } from '../again/maker.ts'
import type { FileStore } from '../store.ts'
import { describeLost, filesBehind, isLogoKept, type Kept } from './queries.ts'

export type Survey = {
  kinds: { kind: FileKind; files: number; missing: number; lost: number }[]
  /** What people brought, and nobody can make again. */
  lost: { kind: FileKind; unit: string; ticket: string | null; file: string }[]
}

const page = 1000
/** Looked for at the same time. */
const together = 16

/** Looks for the content of every file that the database knows. It changes nothing. */
export async function survey(database: Database, store: FileStore): Promise<Survey> {
  const found: Survey = { kinds: fileKinds.map(kind => ({ kind, files: 0, missing: 0, lost: 0 })), lost: [] }
  // One content may serve all policies of a product.
  const shared = new Map<string, Promise<boolean>>()

  function isThere({ business_unit_id, kind, content_id }: Kept): Promise<boolean> {
    const name = `${business_unit_id}/${content_id}`
    const answer = shared.get(name) ?? store.has(name)
    if (kind === 'information' || kind === 'conditions') shared.set(name, answer)
    return answer
  }

  async function look(file: Kept): Promise<void> {
    const counts = found.kinds.find(({ kind }) => kind === file.kind)
    if (!counts) return
    counts.files += 1
    if (await isThere(file)) return
    counts.missing += 1
    if (isOurs(file.kind) || (file.kind === 'logo' && (await database.asService(tx => isLogoKept(tx, file))))) return
    counts.lost += 1
    const described = await database.asService(tx => describeLost(tx, file))
    found.lost.push({ kind: file.kind, ...described, file: file.id })
  }

  let last: Kept | undefined
  do {
    const files: Kept[] = await database.atLeisure(tx => filesBehind(tx, last, page))
    for (let from = 0; from < files.length; from += together) await Promise.all(files.slice(from, from + together).map(look))
    last = files.length < page ? undefined : files.at(-1)
  } while (last)
  return { kinds: found.kinds.filter(({ files }) => files > 0), lost: found.lost }
}

/** For the operator's eyes: kinds and counts, and of what is lost the unit, the ticket and the file's id. Never a name. */
export function told({ kinds, lost }: Survey): string {
  const rows = kinds.map(({ kind, files, missing, lost }) => [
    kind,
    `${files} files`,
    missing === 0
      ? 'all there'
      : `${missing} missing: ${[missing - lost > 0 && `${missing - lost} made again when asked for`, lost > 0 && `${lost} lost`].filter(Boolean).join(', ')}`,
  ])
  const listed = lost.map(({ kind, unit, ticket, file }) => `  ${kind}  ${unit}  ${ticket ?? 'no ticket'}  file ${file}`)
  return [
    ...rows.map(([kind = '', files = '', state = '']) => `${kind.padEnd(12)} ${files.padStart(14)}  ${state}`),
    ...(lost.length > 0
      ? ['Lost, as people brought them. Copy them into the store from wherever they still are, or ask for them again:', ...listed.sort()]
      : ['Nothing is lost for good.']),
  ].join('\n')
}
