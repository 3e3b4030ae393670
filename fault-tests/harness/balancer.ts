import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * A load balancer without sticky sessions: each request goes to the next ready node.
 * Retries on another node only if nothing was sent. `retries` counts those retries.
 */
export type Balancer = { origin: string; nodes: Set<string>; readonly retries: number; stop(): void }

export const checkIntervalMs = 200

export async function openBalancer(): Promise<Balancer> {
  const nodes = new Set<string>()
  const unready = new Set<string>()
  let [turn, retries] = [0, 0]
  const forward = (incoming: IncomingMessage, reply: ServerResponse, body: Buffer, tries: number): void => {
    const all = [...nodes].filter(node => !unready.has(node))
    const node = all[turn++ % all.length]
    if (!node || tries > 20) return void reply.writeHead(502).end()
    const sent = request(
      new URL(incoming.url ?? '/', node),
      { method: incoming.method, headers: incoming.headers, agent: false },
      upstream => {
        reply.writeHead(upstream.statusCode ?? 502, upstream.headers)
        upstream.pipe(reply)
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNREFUSED') return void reply.destroy()
      retries += 1
      setImmediate(forward, incoming, reply, body, tries + 1)
    })
    sent.end(body)
  }
  const server = createServer((incoming, reply) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => forward(incoming, reply, Buffer.concat(chunks), 0))
  })
  const watch = setInterval(() => {
    for (const node of nodes)
      fetch(new URL('/health/ready', node)).then(
        ({ ok }) => (ok ? unready.delete(node) : unready.add(node)),
        () => unready.add(node),
      )
  }, checkIntervalMs)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
    nodes,
    get retries() {
      return retries
    },
    stop() {
      clearInterval(watch)
      server.close()
    },
  }
}
