import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { fileKinds, megabyte } from '#common/kit/files.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { statusAfterMessage } from '#common/tickets/states.ts'
import { longest, mostFiles } from '#common/tickets/ticket.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { Files } from '#server/documents/public.ts'
import type { AppContext, World } from '#server/kit/app-context.ts'
import type { Schema } from '#server/kit/openapi/docs-page.ts'
import { jsonType } from '#server/kit/http/http.ts'
import { refuseUnread } from '#server/kit/http/unread.ts'
import { byHand } from '#server/kit/openapi/openapi.ts'
import type { Scope } from '#server/kit/scope.ts'
import { inspectInWorker } from '#server/kit/upload/inspect-in-worker.ts'
import { cleanName } from '#server/kit/upload/names.ts'
import { type TaskOf, TooHeavy } from '#server/kit/workers/workers.ts'
import { oneLine } from '#server/kit/mail-address.ts'
import { audit, scopeOf } from '#server/session/public.ts'
import { type Addressed, readTicketAddress } from './addresses.ts'
import { inboundMail, type ReadMail, type readMail } from './inbound/read.ts'
import { mailMessage } from './mails.ts'
import { addMessage, attachFiles, findByReference, hasMail, type LooseFile, lockTicket, unitByKey } from './queries.ts'

const bodyLimit = 40 * megabyte

export const inboundPaths = {
  '/api/tickets/mail': {
    post: byHand('A mail that answers a ticket, from the provider that received it', 'the secret of INBOUND_MAIL_SECRET', {
      requestBody: { content: { 'application/json': { schema: z.toJSONSchema(inboundMail) as Schema } } },
      responses: { 200: { description: 'Heard; whether it was kept' } },
    }),
  },
}

/** Each holds its mail in memory: more at once are asked to come again, as providers do by themselves. */
const mostAtOnce = 4

/**
 * Answers by mail, handed over by the provider that received them. Without an address and a secret there is no such call. Who asks is known
 * before a byte of the mail is read; the mail itself is read by another thread.
 */
export async function serveInboundMail({ http, world }: AppContext, files: Files): Promise<void> {
  const { INBOUND_MAIL_SECRET: secret, INBOUND_MAIL_ADDRESS: address } = world.config
  if (!secret || !address) return
  let atOnce = 0
  await http.register(async route => {
    route.removeAllContentTypeParsers()
    route.addContentTypeParser(jsonType, (_request: FastifyRequest, payload: AsyncIterable<Buffer>) => partsOf(payload))
    route.addHook('preParsing', async (request, reply) => {
      if (!knows(secret, request)) throw refuseUnread(request, reply, new Refusal('session.missing'))
      if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw refuseUnread(request, reply, new Refusal('request.too_large'))
      if (atOnce >= mostAtOnce) throw refuseUnread(request, reply, new Refusal('service.unavailable', { retryAfter: 5 }))
      atOnce += 1
      reply.raw.once('close', () => (atOnce -= 1))
    })
    route.post('/api/tickets/mail', { bodyLimit, config: { takesFiles: true } }, async request => {
      const mail = await readApart(world, (request.body ?? []) as Buffer[])
      // What is no answer to a ticket is no reason for the provider to try again.
      return { code: 200, data: { kept: await receive(world, files, request, mail) } }
    })
  })
}

const readTask: TaskOf<typeof readMail> = { module: new URL('inbound/read.ts', import.meta.url).href, name: 'readMail' }
const owner = 'inbound mail'

async function readApart({ workers }: World, parts: Buffer[]): Promise<ReadMail> {
  const mail = await workers.run(owner, readTask, parts).catch((error: unknown) => {
    throw error instanceof TooHeavy ? new Refusal('request.too_large') : error
  })
  if (mail === 'malformed') throw new Refusal('request.malformed')
  if (Array.isArray(mail)) throw refuseFields(mail)
  return mail
}

/** A body as it came, in pieces with memory of their own, so that no step takes long and all of them can change threads. */
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

async function receive(world: World, files: Files, request: FastifyRequest, mail: ReadMail): Promise<boolean> {
  const addressed = readTicketAddress(world.config, mail.addresses)
  const unit = addressed && (await unitByKey(world.database, addressed.unit))
  if (!unit || mail.isAutomatic) return false
  const scope = scopeOf(unit.id)
  const { kept, refused } = await keepAttachments(world, files, scope, mail)
  const written = await write(world, scope, addressed, request, { mail, kept, refused }).catch(async (error: unknown) => {
    await letGo(world, files, scope, kept)
    throw error
  })
  if (!written) await letGo(world, files, scope, kept)
  return written
}

const letGo = ({ database }: World, files: Files, scope: Scope, kept: LooseFile[]): Promise<void> =>
  database.inScope(scope, async tx => {
    for (const { id } of kept) await files.remove(tx, id)
  })

/** Judged as those that are brought; what is refused is named in the message. */
async function keepAttachments(world: World, files: Files, scope: Scope, { attachments }: ReadMail) {
  const [kept, refused]: [LooseFile[], string[]] = [[], []]
  try {
    for (const { name: given, content } of attachments) {
      const judged = content && kept.length < mostFiles ? await inspectInWorker(world.workers, owner, given, content) : 'kind'
      if (typeof judged === 'string') refused.push(oneLine(given, 100))
      else {
        const { mediaType } = fileKinds[judged.kind]
        const name = cleanName(given, judged.kind)
        const { id, size } = await files.put(scope, { kind: 'ticket', name, mediaType, content: judged.content })
        kept.push({ id, name, mediaType, size })
      }
    }
  } catch (error) {
    // The provider tries again, and brings them all anew.
    await letGo(world, files, scope, kept)
    throw error
  }
  return { kept, refused }
}

type Received = { mail: ReadMail; kept: LooseFile[]; refused: string[] }

function write(world: World, scope: Scope, { reference, side }: Addressed, request: FastifyRequest, received: Received): Promise<boolean> {
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
    const message = await addMessage(tx, ticket, written, statusAfterMessage(side))
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
