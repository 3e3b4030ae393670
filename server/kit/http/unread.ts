import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '#common/kit/refusals.ts'

/** What is on its way anyhow; a longer body is not waited for. */
const shortBody = 64 * 1024

/** Refuses before the body was read. The line of a long one is cut, after as long as it takes to hear the answer. */
export function leaveUnread(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): Refusal {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (!request.raw.complete && (coding !== undefined || Number(length ?? 0) > shortBody)) hangUp(request, reply)
  return refusal
}

/** Whatever is still on its way is not waited for: only for as long as it takes to hear the answer. */
export function hangUp({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close')
  reply.raw.once('finish', () => setTimeout(() => raw.destroy(), 1000).unref())
}
