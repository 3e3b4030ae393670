import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { UnitTx } from '#server/kit/database.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { hashOf, type Logo, type Source } from '../pdf/document.ts'
import { openedSource, sourceColumns } from '../sealed/content.ts'

export type NewSource = { contentId: string; source: Source }

/** Stores the sources of contents. Existing rows stay: equal content ids have equal sources. */
export async function insertSources(secrets: Secrets, tx: UnitTx, all: readonly NewSource[]): Promise<void> {
  if (all.length === 0) return
  const logos = new Map<string, Logo>()
  const rows = all.map(({ contentId, source: { data, seconds, logo } }) => {
    const sha256 = logo && hashOf(logo)
    if (logo && sha256) logos.set(sha256, logo)
    const source = deflateRawSync(JSON.stringify({ data, seconds }))
    return { content_id: contentId, ...sourceColumns(secrets, contentId, source), logo_sha256: sha256 }
  })
  if (logos.size > 0)
    await tx
      .insertInto('paper_logos')
      .values([...logos].map(([sha256, { kind, content }]) => ({ sha256, kind, content })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  await tx
    .insertInto('paper_sources')
    .values(rows)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export async function findSource(secrets: Secrets, tx: UnitTx, contentId: string): Promise<Source | undefined> {
  const row = await tx
    .selectFrom('paper_sources')
    .select(['source', 'sealed_by', 'logo_sha256'])
    .where('content_id', '=', contentId)
    .executeTakeFirst()
  if (!row) return undefined
  const source = openedSource(secrets, contentId, { secret: row.source, sealedBy: row.sealed_by })
  const { data, seconds } = JSON.parse(inflateRawSync(source).toString()) as Omit<Source, 'logo'> // Safe: insertSource wrote it.
  const logo = row.logo_sha256 === null ? undefined : await findLogo(tx, row.logo_sha256)
  return { data, seconds, logo: logo && !logo.left_out ? { kind: logo.kind, content: logo.content } : null }
}

export const findLogo = (tx: UnitTx, sha256: string) =>
  tx.selectFrom('paper_logos').select(['kind', 'content', 'left_out']).where('sha256', '=', sha256).executeTakeFirst()

/** Leaves a logo out of all documents that are made again. */
export const leaveOut = (tx: UnitTx, sha256: string) =>
  tx.updateTable('paper_logos').set({ left_out: true }).where('sha256', '=', sha256).execute()

/** Finds a policy that has a document with this content, and the document's id. */
export const documentOfContent = (tx: UnitTx, contentId: string) =>
  tx
    .selectFrom('files')
    .select(['id', 'policy_id', 'policy_version'])
    .where('content_id', '=', contentId)
    .where('policy_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
