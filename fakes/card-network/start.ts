import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerApi, type Keys } from './api.ts'
import { control, type Controlled, type Counters, counters, tellerOf } from './control.ts'
import { apiVersion } from './events.ts'
import { type Fault, openFaults } from './http/faults.ts'
import type { Reply } from './http/idempotency.ts'
import { openLedger } from './ledger.ts'
import { failRefunds, type RefundManner } from './refunds.ts'
import { shimScript } from './shim-script.ts'
import { type Endpoint, type Manner, openPostman } from './webhooks.ts'

export type CardNetworkSettings = Partial<Keys> & {
  /** 0, the default, takes a free one. */
  port?: number
  webhook?: Endpoint
  /** Where to remember what was paid; without it everything is forgotten at the end. */
  file?: string
}

export type CardNetwork = Keys & {
  url: string
  port: number
  /** For `new Stripe(secretKey, network.sdk)`. */
  sdk: { host: string; port: number; protocol: 'http' }
  fault: (fault: Fault) => void
  /** What was delayed goes on, too. */
  clearFaults: () => void
  /** From now on, also for those that are pending. */
  refunds: (manner: RefundManner) => void
  failRefunds: () => void
  webhooksTo: (endpoint: Endpoint | undefined) => void
  webhooks: (manner: Manner) => void
  release: () => void
  /** When every webhook has arrived, or was given up. */
  idle: () => Promise<void>
  counters: () => Counters
  stop: () => Promise<void>
}

/** The stand-in for Stripe, on loopback alone. */
export async function startCardNetwork(settings: CardNetworkSettings = {}): Promise<CardNetwork> {
  const keys = { secretKey: settings.secretKey ?? 'sk_test_stand_in', publishableKey: settings.publishableKey ?? 'pk_test_stand_in' }
  const ledger = openLedger(settings.file)
  const postman = openPostman(settings.webhook, () => ledger.save())
  const controlled: Controlled = { ledger, faults: openFaults(), postman, requests: new Map(), refunds: 'normal' }
  for (const event of ledger.events.values()) if (event.pending_webhooks > 0) postman.deliver(event)
  const server = createServer((request, reply) => {
    serve(request, reply, controlled, keys).catch(() => request.socket.destroy())
  })
  server.listen(settings.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...keys,
    url: `http://127.0.0.1:${port}`,
    port,
    sdk: { host: '127.0.0.1', port, protocol: 'http' },
    fault: controlled.faults.add,
    clearFaults: controlled.faults.clear,
    refunds: manner => void (controlled.refunds = manner),
    failRefunds: () => failRefunds(ledger, tellerOf(controlled)),
    webhooksTo: postman.to,
    webhooks: postman.behave,
    release: postman.release,
    idle: postman.idle,
    counters: () => counters(ledger, postman, controlled.requests),
    async stop() {
      postman.stop()
      controlled.faults.clear()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function serve(request: IncomingMessage, reply: ServerResponse, controlled: Controlled, keys: Keys): Promise<void> {
  // Only who knows it as a loopback address may ask: no page that has a name of its own made to point here.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) return void reply.writeHead(421).end()
  const method = request.method ?? 'GET'
  const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const body = await bodyOf(request)
  if (pathname === '/stripe.js' && method === 'GET') return serveShim(reply)
  if (pathname.startsWith('/control/')) return serveControl(request, reply, controlled, { method, pathname, body })
  const count = `${method} ${pathname.replaceAll(/\/[a-z]+_[A-Za-z0-9]{14,}/g, '/*')}`
  controlled.requests.set(count, (controlled.requests.get(count) ?? 0) + 1)
  const fault = controlled.faults.take(method, pathname)
  if (fault?.fault === 'drop-before') return void request.socket.destroy()
  const { authorization = '', 'idempotency-key': key } = request.headers
  const asked = { method, path: pathname, query: search, body, authorization, key: key?.toString() }
  const answer = await answerApi(
    { ledger: controlled.ledger, keys, refunds: controlled.refunds, deliver: controlled.postman.deliver, delay: controlled.faults.delay },
    asked,
    fault,
  )
  if (fault?.fault === 'drop-after') return void request.socket.destroy()
  send(reply, answer, asked.key, fault?.fault === 'stall')
}

/** A stalled reply begins, promises more than comes, and never ends. */
function send(reply: ServerResponse, { status, body, requestId, replayed }: Reply, key: string | undefined, stalled: boolean): void {
  reply.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'request-id': requestId,
    'stripe-version': apiVersion,
    ...(key ? { 'idempotency-key': key, 'original-request': requestId } : {}),
    ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
    ...(status >= 500 && key ? { 'stripe-should-retry': 'false' } : {}),
  })
  if (stalled) reply.write(body.slice(0, Math.floor(body.length / 2)))
  else reply.end(body)
}

function serveControl(
  request: IncomingMessage,
  reply: ServerResponse,
  controlled: Controlled,
  { method, pathname, body }: { method: string; pathname: string; body: string },
): void {
  // A browser sends an origin with whatever it writes: pages have no business here.
  if (request.headers.origin !== undefined) return void reply.writeHead(403).end()
  try {
    const answer = control(controlled, method, pathname, body)
    reply.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  } catch (error) {
    reply.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ message: String(error) }))
  }
}

async function serveShim(reply: ServerResponse): Promise<void> {
  const script = await shimScript()
  reply.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' }).end(script)
}

/** Stripe's requests are small; whoever sends more is cut off. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > 1_000_000) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
