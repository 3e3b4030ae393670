import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { fileKinds, megabyte } from '#common/kit/files.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { statusAfterMessage } from '#common/tickets/states.ts'
import { longest, mostFiles } from '#common/tickets/ticket.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { Files, LooseFile } from '#server/documents/public.ts'
import type { AppContext, World } from '#server/kit/app-context.ts'
import type { Schema } from '#server/kit/openapi/docs-page.ts'
import { jsonType } from '#server/kit/http/http.ts'
import { refuseUnread } from '#server/kit/http/failures.ts'
import { byHand } from '#server/kit/openapi/openapi.ts'
import type { Scope } from '#server/kit/scope.ts'
import { inspectInWorker } from '#server/kit/upload/form.ts'
import { cleanName } from '#server/kit/upload/names.ts'
import { type TaskOf, TooHeavy } from '#server/kit/workers/workers.ts'
import { oneLine } from '#server/kit/mail-address.ts'
import { audit, scopeOf } from '#server/session/public.ts'
import { inboundMail, type ReadMail, type readMail } from './read.ts'
import { mailMessage, readTicketAddress, type ReplyAddress } from '../mails.ts'
import { addMessage, attachFiles, findByReference, hasMail, lockTicket, unitByKey } from '../queries.ts'

const bodyLimit = 40 * megabyte

export const inboundPaths = {
  '/api/tickets/mail': {
    post: byHand('A mail that answers a ticket, from the provider that received it', 'the secret of INBOUND_MAIL_SECRET', {
      // Safe: both types describe JSON Schema.
      requestBody: { content: { 'application/json': { schema: z.toJSONSchema(inboundMail) as Schema } } },
      responses: { 200: { description: 'Received, and whether it was kept' } },
    }),
  },
}

/** The limit of mails in memory at once. Providers deliver again by themselves when refused. */
const mostAtOnce = 4

/**
 * Serves replies by mail, as the provider that received them delivers them. Without address and secret there is no such call.
 * The secret is checked before the first byte of the mail is read. Another thread parses the mail.
 */
export async function serveInboundMail({ http, world }: AppContext, files: Files): Promise<void> {
  const { INBOUND_MAIL_SECRET: secret, INBOUND_MAIL_ADDRESS: address } = world.config
  if (!secret || !address) return
  let atOnce = 0
  await http.register(async route => {
    route.removeAllContentTypeParsers()
    route.addContentTypeParser(jsonType, (_request: FastifyRequest, payload: AsyncIterable<Buffer>) => partsOf(payload))
    route.addHook('preParsing', async (request, reply) => {
      if (!hasSecret(secret, request)) throw refuseUnread(request, reply, new Refusal('session.missing'))
      if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw refuseUnread(request, reply, new Refusal('request.too_large'))
      if (atOnce >= mostAtOnce) throw refuseUnread(request, reply, new Refusal('service.unavailable', { retryAfter: 5 }))
      atOnce += 1
      reply.raw.once('close', () => (atOnce -= 1))
    })
    route.post<{ Body: Buffer[] | undefined }>('/api/tickets/mail', { bodyLimit, config: { takesFiles: true } }, async request => {
      const mail = await readInWorker(world, request.body ?? [])
      // A mail that is no reply to a ticket still gets 200, so that the provider does not deliver it again.
      return { code: 200, data: { kept: await receive(world, files, request, mail) } }
    })
  })
}

const readTask: TaskOf<typeof readMail> = { module: new URL('read.ts', import.meta.url).href, name: 'readMail' }
const owner = 'inbound mail'

async function readInWorker({ workers }: World, parts: Buffer[]): Promise<ReadMail> {
  const mail = await workers.run(owner, readTask, parts).catch((error: unknown) => {
    throw error instanceof TooHeavy ? new Refusal('request.too_large') : error
  })
  if (mail === 'malformed') throw new Refusal('request.malformed')
  if (Array.isArray(mail)) throw refuseFields(mail)
  return mail
}

/** Reads a body into parts with memory of their own. No step takes long, and all parts can move to another thread. */
async function partsOf(payload: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const parts: Buffer[] = []
  let [length, free] = [0, Buffer.alloc(0)]
  for await (const piece of payload) {
    length += piece.length
    if (length > bodyLimit) throw new Refusal('request.too_large')
    for (let at = 0; at < piece.length; ) {
      if (free.length === 0) parts.push((free = Buffer.allocUnsafeSlow(megabyte)))
      const copied = piece.copy(free, 0, at)
      free = free.subarray(copied)
      at += copied
    }
  }
  const last = parts.pop()
  return last ? [...parts, last.subarray(0, last.length - free.length)] : []
}

/** Returns whether the request carries the secret, as bearer token or as Basic password of any user. */
function hasSecret(secret: string, { headers: { authorization = '' } }: FastifyRequest): boolean {
  const [, bearer] = /^Bearer (.+)$/.exec(authorization) ?? []
  const [, basic] = /^Basic ([\w+/=]+)$/.exec(authorization) ?? []
  const sent =
    bearer ??
    (basic
      ? Buffer.from(basic, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : '')
  const hash = (value: string) => createHash('sha256').update(value).digest()
  return timingSafeEqual(hash(sent), hash(secret))
}

async function receive(world: World, files: Files, request: FastifyRequest, mail: ReadMail): Promise<boolean> {
  const address = readTicketAddress(world.config, mail.addresses)
  const unit = address && (await unitByKey(world.database, address.unit))
  if (!unit || mail.isAutomatic) return false
  const scope = scopeOf(unit.id)
  const { kept, refused } = await storeAttachments(world, files, scope, mail)
  const written = await write(world, scope, address, request, { mail, kept, refused }).catch(async (error: unknown) => {
    await removeFiles(world, files, scope, kept)
    throw error
  })
  if (!written) await removeFiles(world, files, scope, kept)
  return written
}

const removeFiles = ({ database }: World, files: Files, scope: Scope, kept: LooseFile[]): Promise<void> =>
  database.inScope(scope, async tx => {
    for (const { id } of kept) await files.remove(tx, id)
  })

/** Inspects and stores attachments like uploads. The message names the refused ones. */
async function storeAttachments(world: World, files: Files, scope: Scope, { attachments }: ReadMail) {
  const [kept, refused]: [LooseFile[], string[]] = [[], []]
  try {
    for (const { name: sentName, content } of attachments) {
      const inspected = content && kept.length < mostFiles ? await inspectInWorker(world.workers, owner, sentName, content) : 'kind'
      if (typeof inspected === 'string') refused.push(oneLine(sentName, 100))
      else {
        const { mediaType } = fileKinds[inspected.kind]
        const name = cleanName(sentName, inspected.kind)
        const { id, size } = await files.put(scope, { kind: 'ticket', name, mediaType, content: inspected.content })
        kept.push({ id, name, mediaType, size })
      }
    }
  } catch (error) {
    // The provider delivers the mail again, with all its attachments.
    await removeFiles(world, files, scope, kept)
    throw error
  }
  return { kept, refused }
}

type Received = { mail: ReadMail; kept: LooseFile[]; refused: string[] }

function write(
  world: World,
  scope: Scope,
  { reference, side }: ReplyAddress,
  request: FastifyRequest,
  received: Received,
): Promise<boolean> {
  const { mail, kept, refused } = received
  return world.database.inScope(scope, async tx => {
    const found = await findByReference(tx, reference)
    const { locale } = await unitSettings(tx)
    const note = refused.length > 0 ? world.words(locale)('tickets.mail_refused', { names: refused.join(', ') }) : ''
    const body = [mail.answer, note].filter(Boolean).join('\n\n').slice(0, longest.message)
    if (!found || (body === '' && kept.length === 0)) return false
    const ticket = await lockTicket(tx, found.id)
    if (await hasMail(tx, ticket.id, mail.messageId)) return false
    const [id, at] = [world.ids.next(), world.clock.now()]
    const written = {
      id,
      at,
      from_support: side === 'support',
      user_id: null,
      author: mail.author,
      body: body || '…',
      mail_id: mail.messageId,
    }
    const message = await addMessage(tx, world.secrets, ticket, written, statusAfterMessage(side))
    const ids = kept.map(file => file.id)
    await attachFiles(tx, ticket.id, message.position, ids)
    const where = { ip: request.ip, userAgent: '', requestId: request.id }
    const details = { side, files: ids.length, by: 'mail' }
    await audit(world, tx, where, {
      action: 'ticket.written',
      outcome: 'done',
      businessUnitId: scope.businessUnitId,
      object: ticket.id,
      details,
    })
    await mailMessage(world, tx, { ticket, message, files: kept })
    return true
  })
}
