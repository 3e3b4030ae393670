import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { displayDate, today } from '#common/kit/dates.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { type Files, isLost, type RenderDocument } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type PrivacyUnitTx, within } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type Entry, zipped } from '#server/kit/workbook/zip.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { type MailAttachment, queueMail } from '#server/mail/public.ts'
import { audit, noRequest, scopeOf } from '#server/session/public.ts'
import { hashesOf } from '../facts.ts'
import { collect, type Collected } from './collect.ts'
import { copyDocument } from './document.ts'
import { attachmentOf } from '../letters/send.ts'
import { deleteCopies } from '../retention/batches.ts'
import { copyIdOf, type Wanted, wantedIn } from './request.ts'
import { type Copy, schemaText } from './schema.ts'

/** For how many days the link works. Then the copy is deleted. */
const linkDays = 7

type Deps = { files: Files; render: RenderDocument }

/** Makes a person's copy, stores it, and mails the link, unless it was recalled. A repeated attempt makes it under the same id. */
export const makeCopy =
  (world: World, deps: Deps): Subscriber =>
  async job => {
    const { requestUuid, ...wanted } = wantedIn(world.secrets, job)
    const scope = scopeOf(job.businessUnitId)
    const id = copyIdOf(requestUuid)
    const madeAt = world.clock.now()
    const expiresAt = new Date(madeAt.getTime() + linkDays * 86_400_000)
    const collected = await world.database.asPrivacy(async whole => {
      const tx = within(whole, scope)
      const times = { made_at: madeAt, expires_at: expiresAt }
      const { numUpdatedRows } = await tx.updateTable('person_copies').set(times).where('id', '=', id).executeTakeFirst()
      if (numUpdatedRows === 0n) {
        // The person was erased after the request. An attempt that ended then may have left its file.
        if (!(await isOpen(tx, requestUuid))) {
          await deleteCopies(world, tx, [id])
          return undefined
        }
        // An older version did not insert the row with the request.
        const hashes = hashesOf(world.secrets, scope.businessUnitId, { ...wanted.person, email: wanted.email })
        await tx
          .insertInto('person_copies')
          .values({ id, request_id: requestUuid, ...times, ...hashes })
          .execute()
      }
      await tx.deleteFrom('files').where('id', '=', id).execute()
      const found = await collect(world, tx, wanted.person)
      for (const object of found.opened)
        await audit(world, whole, noRequest, {
          action: 'privacy.opened',
          outcome: 'done',
          userId: wanted.userId,
          businessUnitId: scope.businessUnitId,
          object,
          reason: wanted.reason,
        })
      return found
    })
    if (!collected) return
    const words = world.words(collected.locale)
    const content = await archive(world, scope, collected, deps)
    await deps.files.put(scope, { id, kind: 'copy', name: `${words('privacy.copy_file')}.zip`, mediaType: 'application/zip', content })
    await world.database.asPrivacy(async whole => {
      const tx = within(whole, scope)
      const made = await tx.selectFrom('person_copies').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
      // The person was erased while the copy was made. Its bytes may have been stored after the deletion.
      if (!made) return deleteCopies(world, tx, [id])
      const { timeZone } = await unitSettings(tx)
      const attachment = attachmentOf(world, requestUuid, collected.locale)
      const until = displayDate(today(expiresAt, timeZone)) ?? ''
      await queueMail(world, tx, mailOf(wanted, { ...collected, requestUuid, id, job, until, attachment }))
      await tx
        .updateTable('person_requests')
        .set({ done_at: world.clock.now() })
        .where('id', '=', requestUuid)
        .where('done_at', 'is', null)
        .execute()
    })
  }

async function isOpen(tx: PrivacyUnitTx, requestUuid: string): Promise<boolean> {
  const open = tx.selectFrom('person_requests').select('id').where('id', '=', requestUuid).where('done_at', 'is', null)
  return (await open.executeTakeFirst()) !== undefined
}

type Made = Pick<Collected, 'locale'> & {
  requestUuid: string
  id: string
  job: Parameters<Subscriber>[0]
  until: string
  attachment: MailAttachment
}

const mailOf = ({ name, email }: Wanted, { locale, requestUuid, id, job, until, attachment }: Made) => ({
  to: { name, address: email },
  template: 'privacy_copy' as const,
  locale,
  params: { name, until },
  opens: id,
  attachments: [attachment],
  about: requestUuid,
  causedBy: job,
})

/** Packs data, schema, document and files. Files are read one after another. */
async function archive(world: World, scope: Scope, { copy, files, locale }: Collected, { files: store, render }: Deps): Promise<Buffer> {
  const listed: Copy['files'] = []
  async function* contentOf(id: string, at: Copy['files'][number]): AsyncGenerator<Buffer> {
    const file = await store.open(scope, id).catch((error: unknown) => {
      if (!isLost(error)) throw error
    })
    at.lost = file === undefined
    if (file) for await (const piece of file.stream) yield Buffer.from(piece as Buffer) // Safe: a stream of bytes.
  }
  const kept: Entry[] = files.map(({ id, name, kind, of }, index) => {
    const at = { path: `files/${String(index + 1).padStart(2, '0')} ${plain(name) || kind}`, name, kind, of, lost: false }
    listed.push(at)
    return { name: at.path, content: contentOf(id, at) }
  })
  async function* document(): AsyncGenerator<Buffer> {
    yield await render(scope, unit =>
      copyDocument({ ...copy, files: listed }, { unit, locale, words: world.words(locale), at: world.clock.now() }),
    )
  }
  // The data names the lost files, so it comes after them.
  function* data(): Generator<string> {
    yield `${JSON.stringify({ ...copy, files: listed }, null, 2)}\n`
  }
  const entries = [
    ...kept,
    { name: 'data.pdf', content: document() },
    { name: 'data.json', content: data() },
    { name: 'schema.json', content: [schemaText()] },
  ]
  return buffer(Readable.from(zipped(entries)))
}

/** Returns a file name that every system accepts. */
const plain = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ')
    .trim()
    .replace(/^\.+/, '')
    .slice(0, 120)
