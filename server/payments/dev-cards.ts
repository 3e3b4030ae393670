import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#common/kit/refusals.ts'
import type { Front } from '#server/kit/front.ts'

const patienceMs = 60_000

/**
 * The browser's way to the stand-in, by the origin that it trusts: its script, and what that asks. Where Stripe itself takes the cards, and in
 * production, there is no such way. Nothing of ours is passed on, neither cookies nor secrets.
 */
export async function serveDevCards({ http, world }: Front): Promise<void> {
  const { production, STRIPE_API_URL: fakeCardNetwork } = world.config
  if (production || !fakeCardNetwork || !isHere(fakeCardNetwork)) return
  const pass = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const answer = await asked(new URL(path, fakeCardNetwork), request)
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
    const place = ({ params }: FastifyRequest) => `/v1/payment_intents/${encodeURIComponent((params as { id: string }).id)}`
    route.get(intent, (request, reply) => pass(request, reply, `${place(request)}${new URL(request.url, 'http://x').search}`))
    for (const verb of ['confirm', 'authenticate'])
      route.post(`${intent}/${verb}`, (request, reply) => pass(request, reply, `${place(request)}/${verb}`))
  })
}

const isHere = (url: string): boolean => /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(url).hostname)

async function asked(place: URL, { method, body, headers }: FastifyRequest): Promise<Response> {
  try {
    return await fetch(place, {
      method,
      headers: {
        ...(headers.authorization ? { authorization: headers.authorization } : {}),
        ...(typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(typeof body === 'string' ? { body } : {}),
      signal: AbortSignal.timeout(patienceMs),
    })
  } catch {
    throw new Refusal('payment.unavailable', { retryAfter: 5 })
  }
}
