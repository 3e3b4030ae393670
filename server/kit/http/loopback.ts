import type { FastifyRequest } from 'fastify'

const loopback = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * True for a request from this machine itself. False for one through a proxy on this machine, whose client may write any address into the headers.
 * False also for a page whose name resolves to this machine, because a browser sends the page's host.
 */
export function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  if (!loopback.test(socket.remoteAddress ?? '')) return false
  if (forwarding.some(name => headers[name] !== undefined)) return false
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(headers.host ?? '')
}
