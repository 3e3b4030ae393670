import type { FastifyRequest } from 'fastify'

const loopback = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Whether somebody at this very machine asks. Not a stranger behind a proxy on this machine, who may write any address into his headers,
 * and not a page whose name was made to point here: a browser would name that page's host.
 */
export function asksFromHere({ headers, socket }: FastifyRequest): boolean {
  if (!loopback.test(socket.remoteAddress ?? '')) return false
  if (forwarding.some(name => headers[name] !== undefined)) return false
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(headers.host ?? '')
}
