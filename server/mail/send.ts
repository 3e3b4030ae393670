import { unitSettings } from '#server/business-unit/public.ts'
import { type UnitTx, type UnitWithinTx, within } from '#server/kit/database.ts'
import { isLost } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type GivingUp, type Job, PermanentFailure, type Subscriber } from '#server/kit/work/outbox.ts'
import type { Scope } from '#server/kit/scope.ts'
import { findUserById, invitationLink, passwordLink, scopeOf } from '#server/session/public.ts'
import { findMail, keepWritten, markMail } from './queries.ts'
import type { MailAttachment, MailContent } from './tables.ts'
import { isTemplate, linkMinutesOf, type Params, type Template, writeMail } from './templates.ts'
import type { Outgoing, Transport } from './transport.ts'

/** An attached file, read when the mail leaves. */
export type ReadFile = (scope: Scope, fileId: string) => Promise<Buffer>

/** Whether what a mail says is still so. It is asked when the mail leaves, however long it has waited; what is not so any more is not sent. */
export type Standing = Partial<Record<Template, (tx: UnitTx, about: string, now: Date) => Promise<boolean>>>

/** Writes a queued mail out in its reader's language and hands it over, with no transaction open. Its row says how that went. */
export const sendMail =
  (world: World, transport: Transport, readFile: ReadFile, standing: Standing = {}): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    const id = String(job.payload['mailId'])
    const write = (lost: string[]) => world.database.asService(tx => writeOut(world, within(tx, scope), id, { standing, lost }))
    const letter = await write([])
    if (letter === 'ended') return
    const readIfThere = (fileId: string) =>
      readFile(scope, fileId).catch((error: unknown) => {
        if (!isLost(error) || !hasWaited(world, job)) throw error
        return undefined
      })
    const count = (outcome: 'sent' | 'put_off') => world.metrics.mails.inc({ outcome })
    const mark = (state: 'queued' | 'sent', reason: string | null) =>
      world.database.asService(tx =>
        markMail(within(tx, scope), id, { state, reason, finished_at: state === 'sent' ? world.clock.now() : null }),
      )
    try {
      const read = await Promise.all(letter.files.map(async file => ({ file, content: await readIfThere(file.fileId) })))
      const lost = read.flatMap(({ file, content }) => (content ? [] : [file.filename]))
      const said = lost.length > 0 ? await write(lost) : letter
      if (said === 'ended') return
      await transport.send({ ...said, attachments: read.flatMap(({ file, content }) => (content ? [{ ...file, content }] : [])) })
    } catch (error) {
      await mark('queued', reasonOf(error))
      if (!(error instanceof PermanentFailure)) count('put_off')
      throw error
    }
    await mark('sent', null)
    count('sent')
  }

/** So long an operator has to bring back what the file store has lost; with the next try the mail goes without it, and says so. */
const lostWaitMs = 3 * 3_600_000

const hasWaited = ({ clock }: World, { createdAt }: Job): boolean => clock.now().getTime() - createdAt.getTime() >= lostWaitMs

/** Refused for good, or tried in vain for three days: the mail's own row says so with the job's. */
export const mailGivenUp =
  (world: World): GivingUp =>
  (whole, job, reason) => {
    const tx = within(whole, scopeOf(job.businessUnitId))
    tx.afterCommit(() => world.metrics.mails.inc({ outcome: 'refused' }))
    return markMail(tx, String(job.payload['mailId']), {
      state: 'refused',
      reason: reasonOf(reason),
      finished_at: world.clock.now(),
    })
  }

type Letter = Omit<Outgoing, 'attachments'> & { files: MailAttachment[] }

/** `lost` are the attached files that are not there any more. */
type Writing = { standing: Standing; lost: string[] }

async function writeOut(world: World, tx: UnitWithinTx, id: string, { standing, lost }: Writing): Promise<Letter | 'ended'> {
  const mail = await findMail(tx, id)
  // Handed over before, by a worker that died before it could say that the job is done.
  if (mail?.state === 'sent' || mail?.state === 'withdrawn') return 'ended'
  if (!mail || !isTemplate(mail.template)) throw new PermanentFailure('there is no such mail or template')
  const { brandName, accent, contactInfo } = await unitSettings(tx)
  const params = await withLink(world, tx, mail.template, mail.content)
  const { locale, replyTo } = mail.content
  const written = writeMail({ locale, words: world.words(locale) }, mail.template, { brandName, accent, ...contactInfo }, params, lost)
  const stands = mail.about === null || ((await standing[mail.template]?.(tx, mail.about, world.clock.now())) ?? true)
  const kept = stands && world.config.SMTP_URL === undefined
  await keepWritten(tx, id, {
    subject: written.subject,
    text_body: kept ? written.text : null,
    html_body: kept ? written.html : null,
  })
  if (!stands) {
    await markMail(tx, id, { state: 'withdrawn', reason: null, finished_at: world.clock.now() })
    tx.afterCommit(() => world.metrics.mails.inc({ outcome: 'withdrawn' }))
    return 'ended'
  }
  return {
    ...written,
    id,
    at: mail.at,
    brand: { name: brandName, address: contactInfo.email },
    ...(replyTo ? { replyTo } : {}),
    to: { name: mail.recipient_name, address: mail.recipient_address },
    files: mail.attachments,
  }
}

/** A link is good from now on: however long the mail has waited, and no job or row has ever held it. */
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
