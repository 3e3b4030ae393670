import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { UnitTx } from '#server/kit/database.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import type { Logo, Source } from '../pdf/document.ts'
import { openedSource, sourceColumns } from '../sealed/source.ts'

/** Keeps the source of a content. An existing row stays: equal content ids have equal sources. */
export async function insertSource(secrets: Secrets, tx: UnitTx, contentId: string, { data, seconds, logo }: Source): Promise<void> {
  const sha256 = logo && createHash('sha256').update(logo.content).digest('hex')
  if (logo && sha256)
    await tx
      .insertInto('paper_logos')
      .values({ sha256, kind: logo.kind, content: logo.content })
      .onConflict(conflict => conflict.doNothing())
      .execute()
  await tx
    .insertInto('paper_sources')
    .values({
      content_id: contentId,
      ...sourceColumns(secrets, contentId, deflateRawSync(JSON.stringify({ data, seconds }))),
      logo_sha256: sha256,
    })
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
  return { data, seconds, logo: row.logo_sha256 === null ? null : ((await findLogo(tx, row.logo_sha256)) ?? null) }
}

export const findLogo = (tx: UnitTx, sha256: string): Promise<Logo | undefined> =>
  tx.selectFrom('paper_logos').select(['kind', 'content']).where('sha256', '=', sha256).executeTakeFirst()

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
