import { randomBytes } from 'node:crypto'
import type * as calls from '#common/privacy/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { type Files, isLost } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { Download } from '#server/kit/http/download.ts'
import type { DownloadHandler } from '#server/kit/serve.ts'
import type { ClientLink } from '#server/mail/public.ts'
import { audit, countRefusal, hashToken, scopeOf } from '#server/session/public.ts'

const action = 'privacy.copy_opened'

/** Mints the link of a copy: 128 random bits, of which only the hash is stored. The part after # reaches no server. */
export const copyLink: ClientLink = async (tx, { opens }) => {
  const token = randomBytes(16).toString('base64url')
  await tx
    .updateTable('person_copies')
    .set({ token_hash: hashToken(token) })
    .where('id', '=', opens)
    .where('spent_at', 'is', null)
    .execute()
  return { path: `/my-data#${token}`, mayWithdraw: false }
}

/** Sends the copy once. Whatever is wrong with a link, the response is the same 404. The link is spent once the file is open. */
export const openCopy =
  (world: World, files: Files): DownloadHandler<typeof calls.openCopy> =>
  async input => {
    const hash = hashToken(input.ask.token)
    const now = world.clock.now()
    const find = () =>
      world.database.asPrivacy(tx =>
        tx
          .selectFrom('person_copies')
          .select(['business_unit_id', 'id', 'request_id'])
          .where('token_hash', '=', hash)
          .where('spent_at', 'is', null)
          .where('expires_at', '>', now)
          .executeTakeFirst(),
      )
    const found = await find()
    const file =
      found &&
      (await files.open(scopeOf(found.business_unit_id), found.id).catch(async (error: unknown) => {
        // The copy was opened or deleted meanwhile, with its file. Only what is still there can be lost.
        if (!isLost(error) || (await find())) throw error
      }))
    const isSpent =
      file &&
      (await world.database.asPrivacy(async tx => {
        // One of two concurrent downloads finds the link spent.
        const { numUpdatedRows } = await tx
          .updateTable('person_copies')
          .set({ spent_at: now })
          .where('business_unit_id', '=', found.business_unit_id)
          .where('id', '=', found.id)
          .where('spent_at', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await audit(world, tx, input, { action, outcome: 'done', businessUnitId: found.business_unit_id, object: found.request_id })
        return true
      }))
    if (isSpent) return new Download({ name: file.row.name, mediaType: file.row.media_type, content: file.stream })
    file?.stream.destroy()
    await world.database.asService(tx => countRefusal(world, tx, input, { action, reason: 'request.not_found' }))
    throw new Refusal('request.not_found')
  }
