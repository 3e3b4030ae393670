import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#common/kit/refusals.ts'
import type { AppContext } from '#server/kit/app-context.ts'

const timeoutMs = 60_000

/**
 * Passes the browser's script and calls on to the fake card network, from our own origin. Does not exist in production or with the real
 * Stripe. Cookies and secrets are never passed on.
 */
export async function serveDevCards({ http, world }: AppContext): Promise<void> {
  const { production, STRIPE_API_URL: networkUrl } = world.config
  if (production || !networkUrl || !isLoopback(networkUrl)) return
  const pass = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const answer = await forward(new URL(path, networkUrl), request)
    return reply
      .status(answer.status)
      .type(answer.headers.get('content-type') ?? 'application/json')
      .send(Buffer.from(await answer.arrayBuffer()))
  }
  await http.register(async route => {
    route.removeAllContentTypeParsers()
    route.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    route.get('/dev/cards/stripe.js', (request, reply) => pass(request, reply, '/stripe.js'))
    const intent = '/dev/cards/v1/payment_intents/:id'
    // Safe: the routes declare `:id`.
    const path = ({ params }: FastifyRequest) => `/v1/payment_intents/${encodeURIComponent((params as { id: string }).id)}`
    route.get(intent, (request, reply) => pass(request, reply, `${path(request)}${new URL(request.url, 'http://x').search}`))
    for (const action of ['confirm', 'authenticate'])
      route.post(`${intent}/${action}`, (request, reply) => pass(request, reply, `${path(request)}/${action}`))
  })
}

const isLoopback = (url: string): boolean => /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(url).hostname)

async function forward(path: URL, { method, body, headers }: FastifyRequest): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      headers: {
        ...(headers.authorization ? { authorization: headers.authorization } : {}),
        ...(typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(typeof body === 'string' ? { body } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch {
    throw new Refusal('payment.unavailable', { retryAfter: 5 })
  }
}
