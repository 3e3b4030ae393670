import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '#common/kit/refusals.ts'

/** The size up to which an unread body keeps its connection, in bytes. */
const shortBody = 64 * 1024

/** Refuses a request before its body is read. If the body is long, the connection closes once the client has the response. */
export function refuseUnread(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): Refusal {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (!request.raw.complete && (coding !== undefined || Number(length ?? 0) > shortBody)) closeConnection(request, reply)
  return refusal
}

/** Closes the connection one second after the response, without waiting for the rest of the request. */
export function closeConnection({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close')
  reply.raw.once('finish', () => setTimeout(() => raw.destroy(), 1000).unref())
}
