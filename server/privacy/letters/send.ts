import { sql } from 'kysely'
import type * as calls from '#common/privacy/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { FileRow, Files, ReadFile, RenderDocument } from '#server/documents/public.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'
import type { World } from '#server/kit/app-context.ts'
import { type PrivacyUnitTx, within } from '#server/kit/database.ts'
import { Download } from '#server/kit/http/download.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { DownloadHandler } from '#server/kit/serve.ts'
import { queueMail } from '#server/mail/public.ts'
import { commonContent } from '#server/products/public.ts'
import { scopeOf } from '#server/session/public.ts'
import type { RequestKind } from '../tables.ts'
import { type Answer, letterOf } from './letter.ts'

type Deps = { files: Files; render: RenderDocument }

/** The letter that an email attaches, under the id of its request. It is made when the email leaves or an operator opens it. */
export const attachmentOf = (world: World, requestUuid: string, locale: Locale) => ({
  filename: `${world.words(locale)('privacy.letter_file')}.pdf`,
  contentType: 'application/pdf',
  size: 0,
  fileId: requestUuid,
})

type Letter = { requestUuid: string; kind: RequestKind; locale: Locale; to: { name: string; address: string } | undefined }

/** Queues the email with the letter. The row keeps name, address and text only until the email has left. */
export async function queueLetter(world: World, tx: PrivacyUnitTx, { requestUuid, kind, locale, to }: Letter): Promise<void> {
  if (!to || !isOneAddress(to.address)) return
  await queueMail(world, tx, {
    to,
    template: 'privacy_answer',
    locale,
    params: { name: to.name, kind },
    about: requestUuid,
    attachments: [attachmentOf(world, requestUuid, locale)],
  })
}

/** Reads the files of emails, and makes the letters among them. */
export const withLetters =
  (world: World, deps: Deps, readFile: ReadFile): ReadFile =>
  async (scope, id, known) =>
    (await letter(world, deps, scope, id, known)) ?? readFile(scope, id, known)

/** Sends the letter of an answered request. */
export const letterFile =
  (world: World, deps: Deps): DownloadHandler<typeof calls.personLetter> =>
  async ({ ask: { uuid } }) => {
    const found = await world.database.asPrivacy(tx =>
      tx.selectFrom('person_requests').select(['business_unit_id', 'locale']).where('id', '=', uuid).executeTakeFirst(),
    )
    if (!found?.locale) throw new Refusal('request.not_found')
    const content = await letter(world, deps, scopeOf(found.business_unit_id), uuid)
    if (!content) throw new Refusal('request.not_found')
    return new Download({ name: attachmentOf(world, uuid, found.locale).filename, mediaType: 'application/pdf', content })
  }

/** Returns the letter of a request as it was first made; undefined for the id of anything else. */
async function letter(world: World, { files, render }: Deps, scope: Scope, id: string, known?: FileRow): Promise<Buffer | undefined> {
  const existing = known ?? (await files.find(scope, id))
  if (existing) return existing.kind === 'letter' ? files.readFile(scope, id, existing) : undefined
  const found = await world.database.asPrivacy(whole => answerOf(within(whole, scope), id))
  if (!found) return undefined
  const { locale, answer } = found
  const words = world.words(locale)
  const insurer = await world.database.inScope(scope, async tx => (await commonContent(tx)).content.insurer.legalName)
  const content = await render(scope, unit => letterOf(answer, { unit, insurer, locale, words }))
  await files.put(scope, { id, kind: 'letter', name: attachmentOf(world, id, locale).filename, mediaType: 'application/pdf', content })
  return content
}

async function answerOf(tx: PrivacyUnitTx, id: string): Promise<{ locale: Locale; answer: Answer } | undefined> {
  const { rows } = await sql<Answer & { locale: Locale }>`
    select id, kind, at, received_on::text as "receivedOn", outcome, locale from person_requests
    where business_unit_id = ${tx.businessUnitId} and id = ${id} and outcome is not null and locale is not null`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { locale, ...answer } = row
  return { locale, answer }
}
