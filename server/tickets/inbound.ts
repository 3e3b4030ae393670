import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { fileKinds, megabyte } from '#common/kit/files.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { withoutCardNumbers } from '#common/kit/validators/cards.ts'
import { statusAfterMessage } from '#common/tickets/states.ts'
import { fileMegabytes, longest, mostFiles } from '#common/tickets/ticket.ts'
import { unitSettings } from '#server/business-unit/rows.ts'
import type { Files } from '#server/documents/files.ts'
import type { Front, World } from '#server/kit/front.ts'
import type { Schema } from '#server/kit/openapi/docs-page.ts'
import { byHand } from '#server/kit/openapi/openapi.ts'
import { shapeProblems } from '#server/kit/http/shapes.ts'
import type { Scope } from '#server/kit/scope.ts'
import { judge } from '#server/kit/upload/judge.ts'
import { cleanName } from '#server/kit/upload/names.ts'
import { oneLine } from '#server/mail/address.ts'
import { wordsOfHtml } from '#server/mail/html.ts'
import { audit } from '#server/session/audit.ts'
import { scopeOf } from '#server/session/scope.ts'
import { type Addressed, readTicketAddress } from './addresses.ts'
import { mailMessage } from './mails.ts'
import { addMessage, attachFiles, findByReference, hasMail, type LooseFile, lockTicket, unitByKey } from './rows.ts'

const text = (most: number) => z.optional(z.string().check(z.maxLength(most)))

/** Postmark's inbound hook: https://postmarkapp.com/developer/webhooks/inbound-webhook. What is not needed here is passed over. */
const inboundMail = z.looseObject({
  MessageID: z.string().check(z.minLength(1), z.maxLength(500)),
  From: z.string().check(z.minLength(3), z.maxLength(1000)),
  FromName: text(500),
  To: text(20_000),
  Cc: text(20_000),
  OriginalRecipient: text(1000),
  TextBody: text(1_000_000),
  HtmlBody: z.optional(z.string()),
  StrippedTextReply: text(1_000_000),
  Headers: z.optional(z.array(z.looseObject({ Name: z.string(), Value: z.string() })).check(z.maxLength(500))),
  Attachments: z.optional(z.array(z.looseObject({ Name: z.string(), Content: z.string() })).check(z.maxLength(100))),
})
type InboundMail = z.output<typeof inboundMail>

const bodyLimit = 40 * megabyte

export const inboundPaths = {
  '/api/tickets/mail': {
    post: byHand('A mail that answers a ticket, from the provider that received it', 'the secret of INBOUND_MAIL_SECRET', {
      requestBody: { content: { 'application/json': { schema: z.toJSONSchema(inboundMail) as Schema } } },
      responses: { 200: { description: 'Heard; whether it was kept' } },
    }),
  },
}

/** Answers by mail, handed over by the provider that received them. Without an address and a secret there is no such call. */
export function serveInboundMail(front: Front, files: Files): void {
  const { INBOUND_MAIL_SECRET: secret, INBOUND_MAIL_ADDRESS: address } = front.world.config
  if (!secret || !address) return
  front.http.post('/api/tickets/mail', { bodyLimit, config: { takesFiles: true } }, async request => {
    if (!knows(secret, request)) throw new Refusal('session.missing')
    const mail = inboundMail.safeParse(request.body)
    if (!mail.success) throw refuseFields(shapeProblems(mail.error.issues))
    // What is no answer to a ticket is no reason for the provider to try again.
    return { code: 200, data: { kept: await receive(front.world, files, request, mail.data) } }
  })
}

/** The secret as a token, or as the password of whatever name. */
function knows(secret: string, { headers: { authorization = '' } }: FastifyRequest): boolean {
  const [, bearer] = /^Bearer (.+)$/.exec(authorization) ?? []
  const [, basic] = /^Basic ([\w+/=]+)$/.exec(authorization) ?? []
  const given =
    bearer ??
    (basic
      ? Buffer.from(basic, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : '')
  const hash = (value: string) => createHash('sha256').update(value).digest()
  return timingSafeEqual(hash(given), hash(secret))
}

async function receive(world: World, files: Files, request: FastifyRequest, mail: InboundMail): Promise<boolean> {
  const { OriginalRecipient = '', To = '', Cc = '' } = mail
  const addressed = readTicketAddress(world.config, [OriginalRecipient, ...`${To},${Cc}`.split(',')])
  const unit = addressed && (await unitByKey(world.database, addressed.unit))
  if (!unit || isAutomatic(mail)) return false
  const scope = scopeOf(unit.id)
  const { kept, refused } = await keepAttachments(files, scope, mail)
  const written = await write(world, scope, addressed, request, { mail, kept, refused }).catch(async (error: unknown) => {
    await letGo(world, files, scope, kept)
    throw error
  })
  if (!written) await letGo(world, files, scope, kept)
  return written
}

/** A holiday notice answers nobody (RFC 3834), or two machines would talk for ever. */
const isAutomatic = ({ Headers = [] }: InboundMail): boolean =>
  Headers.some(
    ({ Name, Value }) =>
      (/^auto-submitted$/i.test(Name) && !/^no\b/i.test(Value)) || (/^precedence$/i.test(Name) && /bulk|junk|list|auto/i.test(Value)),
  )

const letGo = ({ database }: World, files: Files, scope: Scope, kept: LooseFile[]): Promise<void> =>
  database.inScope(scope, async tx => {
    for (const { id } of kept) await files.remove(scope, tx, id)
  })

/** Judged as those that are brought; what is refused is named in the message. */
async function keepAttachments(files: Files, scope: Scope, { Attachments = [] }: InboundMail) {
  const [kept, refused]: [LooseFile[], string[]] = [[], []]
  for (const { Name, Content } of Attachments) {
    const content = Buffer.from(Content, 'base64')
    const judged = content.length > fileMegabytes * megabyte || kept.length >= mostFiles ? 'kind' : await judge(Name, content)
    if (typeof judged === 'string') refused.push(oneLine(Name, 100))
    else {
      const { mediaType } = fileKinds[judged.kind]
      const name = cleanName(Name, judged.kind)
      const { id, size } = await files.put(scope, { kind: 'ticket', name, mediaType, content: judged.content })
      kept.push({ id, name, mediaType, size })
    }
  }
  return { kept, refused }
}

type Received = { mail: InboundMail; kept: LooseFile[]; refused: string[] }

function write(world: World, scope: Scope, { reference, side }: Addressed, request: FastifyRequest, received: Received): Promise<boolean> {
  const { mail, kept, refused } = received
  return world.database.inScope(scope, async tx => {
    const found = await findByReference(scope, tx, reference)
    const { locale } = await unitSettings(scope, tx)
    const note = refused.length > 0 ? world.words(locale)('tickets.mail_refused', { names: refused.join(', ') }) : ''
    const body = [answerOf(mail), note].filter(Boolean).join('\n\n').slice(0, longest.message)
    if (!found || (body === '' && kept.length === 0)) return false
    const ticket = await lockTicket(scope, tx, found.id)
    if (await hasMail(scope, tx, ticket.id, mail.MessageID)) return false
    const [id, at] = [world.ids.next(), world.clock.now()]
    const author = oneLine(mail.FromName ?? '', 100) || oneLine(mail.From, 100)
    const written = { id, at, from_support: side === 'support', user_id: null, author, body: body || '…', mail_id: mail.MessageID }
    const message = await addMessage(scope, tx, ticket, written, statusAfterMessage(side))
    const ids = kept.map(file => file.id)
    await attachFiles(scope, tx, ticket.id, message.position, ids)
    const where = { ip: request.ip, userAgent: '', requestId: request.id }
    const details = { side, files: ids.length, by: 'mail' }
    await audit(world, tx, where, {
      action: 'ticket.written',
      outcome: 'done',
      businessUnitId: scope.businessUnitId,
      object: ticket.id,
      details,
    })
    await mailMessage(world, tx, scope, { ticket, message, files: kept })
    return true
  })
}

/** Of what comes, so much is read: an answer is a few pages at most, what it quotes may be many; HTML has more marks than words. */
const mostRead = { text: 200_000, html: 500_000 }
const mostKept = longest.message - 300

/** What was written anew, in the words that the provider found, those of the mail, or those of its HTML. */
function answerOf({ StrippedTextReply = '', TextBody = '', HtmlBody = '' }: InboundMail): string {
  const text = StrippedTextReply.trim() || TextBody.trim() || wordsOfHtml(HtmlBody.slice(0, mostRead.html))
  const lines = text.slice(0, mostRead.text).toWellFormed().replaceAll(/\r\n?/g, '\n').split('\n')
  return withoutCardNumbers(
    withoutQuote(lines)
      .map(line => line.replaceAll(/[^\P{Cc}\t]/gu, ''))
      .join('\n')
      .trim(),
  ).slice(0, mostKept)
}

/**
 * Without what it answers, which stands below it with a line that says so. Whoever writes below or between what he quotes is understood only
 * with it: all of it stays, as long as it leaves room for his own words.
 */
function withoutQuote(lines: string[]): string[] {
  const first = lines.findIndex(isQuoted)
  if (first < 0) return lines
  const rest = lines.slice(first)
  if (rest.some(line => !isQuoted(line) && line.trim() !== ''))
    return lines.join('\n').length <= mostKept ? lines : lines.filter(line => !isQuoted(line))
  const before = lines.slice(0, first).findLastIndex(line => line.trim() !== '')
  return lines.slice(0, lines[before]?.trimEnd().endsWith(':') ? before : first)
}

const isQuoted = (line: string): boolean => /^\s*>/.test(line)
