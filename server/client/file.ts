import type * as calls from '#common/client/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { Files, ListedDocument } from '#server/documents/public.ts'
import { Download } from '#server/kit/http/download.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { DownloadHandler } from '#server/kit/serve.ts'
import { findPolicy, type PolicyRow, type Sales } from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import { clientOf, demandAll, demandSold } from './access.ts'

/** Returns the documents, those that hold now and earlier ones. A policy that ended has those of its end. */
export async function documentsFor({ documents }: Sales, tx: UnitTx, policy: PolicyRow): Promise<ListedDocument[]> {
  const files = await documents.list(tx, policy)
  return policy.status === 'purchased' ? files : files.filter(({ version }) => version === policy.version)
}

/** Sends one of these documents. The token is in the body, so that the file has no address that could be kept or shared. */
export const sendFile =
  (sales: Sales, files: Files): DownloadHandler<typeof calls.clientFile> =>
  async input => {
    const { world, documents } = sales
    const client = await clientOf(world, input, 'client.file_seen', input.ask.token)
    const uuid = input.ask.fileUuid.toLowerCase()
    const wanted = await world.database.inScope(client.scope, async tx => {
      const policy = demandSold(await findPolicy(tx, client.policyId))
      await demandAll(tx, policy, client)
      const found = (await documentsFor(sales, tx, policy)).find(file => file.uuid === uuid)
      if (!found) throw new Refusal('request.not_found')
      await audit(world, tx, input, { action: 'client.file_seen', outcome: 'done', object: uuid, details: { policyUuid: policy.id } })
      return found
    })
    if (wanted.state !== 'ready') await documents.make(client.scope, client.policyId, wanted.version)
    const file = await files.open(client.scope, uuid)
    if (!file) throw new Refusal('request.not_found')
    return new Download({ name: file.row.name, mediaType: file.row.media_type, content: file.stream })
  }
