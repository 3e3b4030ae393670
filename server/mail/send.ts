import type { Locale } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { type ServiceTx, type UnitTx, type UnitWithinTx, within } from '#server/kit/database.ts'
import { type FileRow, findFiles, isLost, type ReadFile } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type Completion, type GivingUp, type Job, PermanentFailure, type Subscriber } from '#server/kit/work/outbox.ts'
import { findUserById, invitationLink, passwordLink, scopeOf } from '#server/session/public.ts'
import {
  findMail,
  insertMail,
  type Mail,
  type MailAttachment,
  type MailContent,
  type MailRow,
  mailWritten,
  markMail,
  storeSizes,
} from './queries.ts'
import { isTemplate, linkMinutesOf, type Params, type Template, writeMail } from './templates.ts'
import type { Outgoing, Transport } from './transport.ts'

/** Checks, by template, whether an email's content is still valid when it leaves. Outdated emails are dropped. */
export type ValidityChecks = Partial<
  Record<Template, (tx: UnitTx, about: string, now: Date, opens: string | undefined) => Promise<boolean>>
>

/**
 * Makes the path of a page for a person without an account, for one address: of a policy, or of a copy of their data. Says whether the page offers
 * the withdrawal. Other features provide it.
 */
export type ClientLink = (
  tx: UnitTx,
  to: { opens: string; address: string; template: Template; locale: Locale },
) => Promise<{ path: string; mayWithdraw: boolean }>

/** The parts by which emails are written and sent. */
export type Sending = {
  world: World
  transport: Transport
  readFile: ReadFile
  validityChecks?: ValidityChecks
  clientLink?: ClientLink
}

/** Writes a queued email in its reader's language and sends it, with no transaction open. Its row records the outcome. */
export const sendMail =
  (sending: Sending): Subscriber =>
  async job => {
    const letter = await written(sending, job)
    return letter === 'ended' ? undefined : deliver(sending, job, letter)
  }

/**
 * Queues an email and writes it in the same transaction, with the files of these rows. It leaves after the commit, and by a job of its own if this
 * process has no room for it or does not come to it.
 */
export type MailSoon = (tx: UnitWithinTx, mail: Mail, rows: FileRow[]) => Promise<void>

export const mailSoon =
  (sending: Sending): MailSoon =>
  async (tx, mail, rows) => {
    const { id, row } = await insertMail(sending.world, tx, mail)
    if (!row) return
    let letter: Letter | 'ended' = 'ended'
    const first: Subscriber = async job => (letter === 'ended' ? undefined : deliver(sending, job, letter))
    if (await sending.world.outbox.begin(tx, mailWritten, { mailId: id }, first)) letter = await writeLetter(sending, tx, row, { rows })
  }

const mailIdOf = ({ payload }: Job): string => String(payload['mailId'])

/** `lost` are the attached files that no longer exist. */
const written = (sending: Sending, job: Job, lost: readonly string[] = []): Promise<Letter | 'ended'> =>
  sending.world.database.asService(async whole => {
    const tx = within(whole, scopeOf(job.businessUnitId))
    const mail = await findMail(tx, mailIdOf(job))
    // The email was deleted with its person's data, or sent by a worker that died before it could complete the job.
    if (!mail || mail.state === 'sent' || (mail.state === 'withdrawn' && mail.subject !== null)) return 'ended'
    return writeLetter(sending, tx, mail, { lost })
  })

/** Sends a written email, and returns what records that. */
async function deliver(sending: Sending, job: Job, letter: Letter): Promise<Completion | undefined> {
  const { world, transport, readFile } = sending
  const scope = scopeOf(job.businessUnitId)
  const id = mailIdOf(job)
  const readUnlessLost = (fileId: string) =>
    // A file without a row, a preview or a letter, is made as the email leaves.
    readFile(
      scope,
      fileId,
      letter.rows.find(({ id }) => id === fileId),
    ).catch((error: unknown) => {
      if (!isLost(error) || !hasWaited(world, job)) throw error
      return undefined
    })
  const count = (outcome: 'sent' | 'put_off') => world.metrics.mails.inc({ outcome })
  const mark = (tx: ServiceTx, words: StoredWords, state: 'queued' | 'sent', reason: string | null) =>
    markMail(within(tx, scope), id, { ...words, state, reason, finished_at: state === 'sent' ? world.clock.now() : null })
  let { words } = letter
  try {
    const read = await Promise.all(letter.files.map(async file => ({ file, content: await readUnlessLost(file.fileId) })))
    const lost = read.flatMap(({ file, content }) => (content ? [] : [file.filename]))
    const final = lost.length > 0 ? await written(sending, job, lost) : letter
    if (final === 'ended') return undefined
    words = final.words
    const sizes = read.map(({ file, content }) => ({ ...file, size: content?.length ?? file.size }))
    if (sizes.some(({ size }, index) => size !== letter.files[index]?.size))
      await world.database.asService(tx => storeSizes(within(tx, scope), id, sizes))
    await transport.send({ ...final, attachments: read.flatMap(({ file, content }) => (content ? [{ ...file, content }] : [])) })
  } catch (error) {
    await world.database.asService(tx => mark(tx, words, 'queued', reasonOf(error)))
    if (!(error instanceof PermanentFailure)) count('put_off')
    throw error
  }
  return async tx => {
    await mark(tx, words, 'sent', null)
    within(tx, scope).afterCommit(() => count('sent'))
  }
}

/** The time for an operator to restore a lost file. After it, the email leaves without the file and says so. */
const lostWaitMs = 3 * 3_600_000

const hasWaited = ({ realTime }: World, { createdAt }: Job): boolean => realTime.now().getTime() - createdAt.getTime() >= lostWaitMs

/** Marks an email as refused after a permanent refusal or three days of retries. */
export const mailGivenUp =
  (world: World): GivingUp =>
  (serviceTx, job, reason) => {
    const tx = within(serviceTx, scopeOf(job.businessUnitId))
    tx.afterCommit(() => world.metrics.mails.inc({ outcome: 'refused' }))
    return markMail(tx, String(job.payload['mailId']), {
      state: 'refused',
      reason: reasonOf(reason),
      finished_at: world.clock.now(),
    })
  }

type StoredWords = { subject: string; text_body: string | null; html_body: string | null }
/** `words`: the texts that the email's row keeps. */
type Letter = Omit<Outgoing, 'attachments'> & { files: MailAttachment[]; rows: FileRow[]; words: StoredWords }

/** `rows` are those of the attached files, if they are known. */
type WriteOptions = { lost?: readonly string[]; rows?: FileRow[] }

async function writeLetter(
  { world, validityChecks = {}, clientLink }: Sending,
  tx: UnitWithinTx,
  mail: MailRow,
  { lost = [], rows: known }: WriteOptions,
): Promise<Letter | 'ended'> {
  if (!isTemplate(mail.template)) throw new PermanentFailure('there is no such template')
  const { id } = mail
  const { opens, locale, replyTo } = mail.content
  const to = { address: mail.recipient_address, template: mail.template, locale }
  const fileIds = mail.attachments.map(({ fileId }) => fileId)
  const [{ brandName, accent, contactInfo }, client, rows] = await Promise.all([
    unitSettings(tx),
    opens ? clientLink?.(tx, { opens, ...to }) : undefined,
    known ?? findFiles(tx, fileIds),
  ])
  const params = client
    ? { ...mail.content.params, link: `${world.publicUrl()}${client.path}`, withdraw: client.mayWithdraw ? 'yes' : 'no' }
    : await withLink(world, tx, mail.template, mail.content)
  const written = writeMail({ locale, words: world.words(locale) }, mail.template, { brandName, accent, ...contactInfo }, params, lost)
  const isValid =
    mail.state !== 'withdrawn' &&
    (mail.about === null || ((await validityChecks[mail.template]?.(tx, mail.about, world.clock.now(), opens)) ?? true))
  const isStored = isValid && world.config.SMTP_URL === undefined
  const words = { subject: written.subject, text_body: isStored ? written.text : null, html_body: isStored ? written.html : null }
  if (!isValid) {
    await markMail(tx, id, { ...words, state: 'withdrawn', reason: null, finished_at: world.clock.now() })
    tx.afterCommit(() => world.metrics.mails.inc({ outcome: 'withdrawn' }))
    return 'ended'
  }
  return {
    ...written,
    words,
    rows,
    id,
    at: mail.at,
    brand: { name: brandName, address: contactInfo.email },
    ...(replyTo ? { replyTo } : {}),
    to: { name: mail.recipient_name, address: mail.recipient_address },
    files: mail.attachments,
  }
}

/** Adds the link, which is created only now: its validity starts when the email leaves, and no job or row ever contains it. */
async function withLink(world: World, tx: UnitWithinTx, template: Template, content: MailContent): Promise<Params> {
  const minutes = linkMinutesOf(template)
  const path = await linkOf(world, tx, minutes, content)
  if (path === undefined) return content.params
  return { ...content.params, link: `${world.publicUrl()}${path}`, minutes, days: Math.floor(minutes / 1440) }
}

async function linkOf(world: World, tx: UnitWithinTx, minutes: number, { passwordOf, invites }: MailContent) {
  if (invites !== undefined) {
    const path = await invitationLink(world, tx, invites, minutes)
    if (!path) throw new PermanentFailure('the invitation is open no longer')
    return path
  }
  if (passwordOf === undefined) return undefined
  const user = await findUserById(tx.whole, passwordOf)
  if (!user) throw new PermanentFailure('the user is gone')
  return (await passwordLink(world, tx.whole, user.id, minutes)).path
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300)
