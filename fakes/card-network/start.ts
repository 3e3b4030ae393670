import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerApi, type Keys } from './api.ts'
import { control, type ControlContext, type Counters, counters, emitterOf } from './control.ts'
import { apiVersion } from './events.ts'
import { type Fault, openFaults } from './http/faults.ts'
import type { Reply } from './http/idempotency.ts'
import { openLedger } from './ledger.ts'
import { failRefunds, type RefundMode } from './refunds.ts'
import { shimScript } from './shim-script.ts'
import { type Endpoint, type Delivery, openWebhookSender } from './webhooks.ts'

export type CardNetworkSettings = Partial<Keys> & {
  /** 0, the default, uses a free port. */
  port?: number
  webhook?: Endpoint
  /** The data file. Without it the data is lost at the end. */
  file?: string
}

export type CardNetwork = Keys & {
  url: string
  port: number
  /** Options for `new Stripe(secretKey, network.sdk)`. */
  sdk: { host: string; port: number; protocol: 'http' }
  fault: (fault: Fault) => void
  /** Also ends running delays. */
  clearFaults: () => void
  /** Sets the mode of new and pending refunds. */
  refunds: (mode: RefundMode) => void
  failRefunds: () => void
  webhooksTo: (endpoint: Endpoint | undefined) => void
  webhooks: (mode: Delivery) => void
  release: () => void
  /** Waits until every webhook has been delivered or abandoned. */
  idle: () => Promise<void>
  counters: () => Counters
  stop: () => Promise<void>
}

/** Starts the fake of Stripe on loopback. */
export async function startCardNetwork(settings: CardNetworkSettings = {}): Promise<CardNetwork> {
  const keys = { secretKey: settings.secretKey ?? 'sk_test_fake', publishableKey: settings.publishableKey ?? 'pk_test_fake' }
  const ledger = openLedger(settings.file)
  const webhookSender = openWebhookSender(settings.webhook, () => ledger.save())
  const context: ControlContext = { ledger, faults: openFaults(), webhookSender, requests: new Map(), refunds: 'normal' }
  for (const event of ledger.events.values()) if (event.pending_webhooks > 0) webhookSender.deliver(event)
  const server = createServer((request, reply) => {
    serve(request, reply, context, keys).catch(() => request.socket.destroy())
  })
  server.listen(settings.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    ...keys,
    url: `http://127.0.0.1:${port}`,
    port,
    sdk: { host: '127.0.0.1', port, protocol: 'http' },
    fault: context.faults.add,
    clearFaults: context.faults.clear,
    refunds: mode => void (context.refunds = mode),
    failRefunds: () => failRefunds(ledger, emitterOf(context)),
    webhooksTo: webhookSender.setEndpoint,
    webhooks: webhookSender.setDelivery,
    release: webhookSender.release,
    idle: webhookSender.idle,
    counters: () => counters(ledger, webhookSender, context.requests),
    async stop() {
      webhookSender.stop()
      context.faults.clear()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function serve(request: IncomingMessage, reply: ServerResponse, context: ControlContext, keys: Keys): Promise<void> {
  // Only loopback names are accepted, against DNS rebinding.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) return void reply.writeHead(421).end()
  const method = request.method ?? 'GET'
  const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const body = await bodyOf(request)
  if (pathname === '/stripe.js' && method === 'GET') return serveShim(reply)
  if (pathname.startsWith('/control/')) return serveControl(request, reply, context, { method, pathname, body })
  const count = `${method} ${pathname.replaceAll(/\/[a-z]+_[A-Za-z0-9]{14,}/g, '/*')}`
  context.requests.set(count, (context.requests.get(count) ?? 0) + 1)
  const fault = context.faults.take(method, pathname)
  if (fault?.fault === 'drop-before') return void request.socket.destroy()
  const { authorization = '', 'idempotency-key': key } = request.headers
  const apiRequest = { method, path: pathname, query: search, body, authorization, key: key?.toString() }
  const response = await answerApi(
    { ledger: context.ledger, keys, refunds: context.refunds, deliver: context.webhookSender.deliver, delay: context.faults.delay },
    apiRequest,
    fault,
  )
  if (fault?.fault === 'drop-after') return void request.socket.destroy()
  send(reply, response, apiRequest.key, fault?.fault === 'stall')
}

/** Sends the response; a stalled one sends half of its announced body and never ends. */
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

async function serveControl(
  request: IncomingMessage,
  reply: ServerResponse,
  context: ControlContext,
  { method, pathname, body }: { method: string; pathname: string; body: string },
): Promise<void> {
  // Browsers send an Origin header with every write, and no page may control the fake.
  if (request.headers.origin !== undefined) return void reply.writeHead(403).end()
  try {
    const response = await control(context, method, pathname, body)
    reply.writeHead(response ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(response ?? {}))
  } catch (error) {
    reply.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ message: String(error) }))
  }
}

async function serveShim(reply: ServerResponse): Promise<void> {
  const script = await shimScript()
  reply.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' }).end(script)
}

/** Reads the body, up to 1 MB. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  // Safe: a request without encoding yields buffers.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > 1_000_000) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
