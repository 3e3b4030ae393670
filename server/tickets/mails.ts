import { createHmac, timingSafeEqual } from 'node:crypto'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import type { Side } from '#common/tickets/states.ts'
import { unitSettings, type UnitSettings } from '#server/business-unit/public.ts'
import type { Config } from '#server/config.ts'
import type { LooseFile } from '#server/documents/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { type Mail, type MailAttachment, queueMail } from '#server/mail/public.ts'
import { answerText, outsideCoverIn } from './forms.ts'
import { type MessageRow, type TicketRow, unitKey } from './queries.ts'
import { bodyOf, wordsOf } from './sealed/words.ts'

type FiledTicket = { unit: UnitSettings; files: LooseFile[] }

/** Mails a ticket: a confirmation to its contact, and all of it to the unit's support address. */
export async function mailFiled(world: World, tx: UnitTx, ticket: TicketRow, filed: FiledTicket): Promise<void> {
  await queueMail(world, tx, {
    to: { name: ticket.contact_name, address: ticket.contact_email },
    replyTo: await replyAddress(world, tx, ticket, 'agency'),
    template: 'ticket_received',
    locale: ticket.locale,
    params: paramsOf(ticket, ticket.contact_name, ticket.locale),
    about: ticket.id,
  })
  await forwardFiled(world, tx, ticket, filed)
}

/** Mails a ticket to the unit's support address. */
export async function forwardFiled(world: World, tx: UnitTx, ticket: TicketRow, { unit, files }: FiledTicket): Promise<void> {
  const attachments = attachable(files)
  await toSupport(world, tx, ticket, unit, {
    template: 'ticket_forwarded',
    params: {
      quote: [
        ...outsideLines(world, ticket, unit),
        ...answerLines(world, ticket, unit),
        '',
        wordsOf(world.secrets, ticket).description,
      ].join('\n'),
      email: ticket.contact_email,
      phone: ticket.contact_phone || 'none',
      files: files.length,
      attached: attachments.length,
    },
    attachments,
  })
}

/** Mails a message to the other side of the ticket, quoted in full. */
export async function mailMessage(
  world: World,
  tx: UnitTx,
  { ticket, message, files }: { ticket: TicketRow; message: MessageRow; files: LooseFile[] },
): Promise<void> {
  const unit = await unitSettings(tx)
  const params = { quote: bodyOf(world.secrets, message), author: message.author }
  const attachments = attachable(files)
  if (!message.from_support) return toSupport(world, tx, ticket, unit, { template: 'ticket_written', params, attachments })
  const replyTo = await replyAddress(world, tx, ticket, 'agency')
  await queueMail(world, tx, {
    to: { name: ticket.contact_name, address: ticket.contact_email },
    replyTo,
    template: 'ticket_answered',
    locale: ticket.locale,
    params: { ...paramsOf(ticket, ticket.contact_name, ticket.locale), ...params, answerable: replyTo ? 'yes' : 'no' },
    about: ticket.id,
    attachments,
  })
}

type Forwarded = Pick<Mail, 'template' | 'attachments'> & { params: Mail['params'] }

async function toSupport(
  world: World,
  tx: UnitTx,
  ticket: TicketRow,
  { locale, supportEmail, brandName }: UnitSettings,
  { template, params, attachments = [] }: Forwarded,
): Promise<void> {
  const page = ticket.kind === 'claim' ? '/claim' : '/customer-service'
  await queueMail(world, tx, {
    to: { name: brandName, address: supportEmail },
    replyTo: await replyAddress(world, tx, ticket, 'support'),
    template,
    locale,
    params: { ...paramsOf(ticket, brandName, locale), link: `${world.publicUrl()}${page}?ticket=${ticket.id}`, ...params },
    about: ticket.id,
    attachments,
  })
}

/** Returns the reply address of this ticket and side, or undefined if no inbound mail is configured. */
async function replyAddress(world: World, tx: UnitTx, { reference }: TicketRow, side: Side): Promise<string | undefined> {
  if (!world.config.INBOUND_MAIL_ADDRESS) return undefined
  return ticketAddress(world.config, { unit: await unitKey(tx), reference, side })
}

const paramsOf = (ticket: TicketRow, name: string, locale: Locale) => ({
  name,
  reference: ticket.reference,
  kind: ticket.kind,
  type: ticket.form.name[languageOf(locale)],
  subject: ticket.subject,
  policy: ticket.policy_number ?? 'none',
  author: ticket.user_name,
})

function outsideLines(world: World, { form }: TicketRow, { locale }: UnitSettings): string[] {
  const words = world.words(locale)
  return outsideCoverIn(form, words).map(reason => words('tickets.outside_mark', { reason }))
}

function answerLines(world: World, ticket: TicketRow, { locale, currency }: UnitSettings): string[] {
  const words = world.words(locale)
  return wordsOf(world.secrets, ticket).answers.map(answer => {
    const label = words('ui.form.field', { label: answer.label[languageOf(locale)] })
    return `${label} ${answerText(answer, locale, words, currency)}`
  })
}

/** The most bytes that a mail may attach, since mail servers take little more. Larger files wait in the portal. */
const mostBytes = 15_000_000

function attachable(files: LooseFile[]): MailAttachment[] {
  let left = mostBytes
  return files.flatMap(({ id, name, mediaType, size }) => {
    if (size === null || size > left) return []
    left -= size
    return [{ fileId: id, filename: name, contentType: mediaType, size }]
  })
}

type InboundConfig = Pick<Config, 'INBOUND_MAIL_ADDRESS' | 'INBOUND_MAIL_SECRET'>

/** The contents of a reply address: the ticket, and the side that replies. */
export type ReplyAddress = { unit: string; reference: string; side: Side }

/**
 * Returns the signed reply address for a ticket and side, which only its recipients know.
 * It is in lower case, as some systems write every address, and within the 64 characters allowed before the @.
 */
export function ticketAddress(config: InboundConfig, { unit, reference, side }: ReplyAddress): string {
  const [local, host] = (config.INBOUND_MAIL_ADDRESS ?? '').split('@')
  const content = `${unit}.${reference}.${side.charAt(0)}`.toLowerCase()
  return `${local}+${content}.${signatureOf(config, content)}@${host}`
}

/** Returns the contents of the first address that this service signed, if any. */
export function readTicketAddress(config: InboundConfig, addresses: readonly string[]): ReplyAddress | undefined {
  for (const address of addresses) {
    const [, content = '', unit = '', reference = '', side, signature = ''] =
      /\+(([a-z][a-z0-9-]{1,30})\.([a-z]\d{6,12}-[a-z])\.([as]))\.([a-z\d]{10})@/.exec(address.toLowerCase()) ?? []
    if (!content || !isSame(signature, signatureOf(config, content))) continue
    return { unit, reference: reference.toUpperCase(), side: side === 's' ? 'support' : 'agency' }
  }
  return undefined
}

/** Returns a signature of fifty bits, too many to guess over the network. */
function signatureOf({ INBOUND_MAIL_SECRET = '' }: InboundConfig, content: string): string {
  const bytes = createHmac('sha256', INBOUND_MAIL_SECRET).update(`ticket ${content}`).digest()
  return bytes.readBigUInt64BE().toString(36).padStart(13, '0').slice(-10)
}

const isSame = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
