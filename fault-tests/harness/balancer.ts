import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * Before several nodes, with no sticky sessions: each request goes to the next one that says that it is ready, which each is asked all the time.
 * Asks elsewhere only where nothing was sent.
 */
export type Balancer = { origin: string; nodes: Set<string>; readonly moved: number; stop(): void }

export const checkedEveryMs = 200

export async function openBalancer(): Promise<Balancer> {
  const nodes = new Set<string>()
  const unready = new Set<string>()
  let [turn, moved] = [0, 0]
  const pass = (asked: IncomingMessage, reply: ServerResponse, body: Buffer, tries: number): void => {
    const all = [...nodes].filter(node => !unready.has(node))
    const node = all[turn++ % all.length]
    if (!node || tries > 20) return void reply.writeHead(502).end()
    const sent = request(new URL(asked.url ?? '/', node), { method: asked.method, headers: asked.headers, agent: false }, answer => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNREFUSED') return void reply.destroy()
      moved += 1
      setImmediate(pass, asked, reply, body, tries + 1)
    })
    sent.end(body)
  }
  const server = createServer((asked, reply) => {
    const chunks: Buffer[] = []
    asked.on('data', (chunk: Buffer) => chunks.push(chunk))
    asked.on('end', () => pass(asked, reply, Buffer.concat(chunks), 0))
  })
  const watch = setInterval(() => {
    for (const node of nodes)
      fetch(new URL('/health/ready', node)).then(
        ({ ok }) => (ok ? unready.delete(node) : unready.add(node)),
        () => unready.add(node),
      )
  }, checkedEveryMs)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
    nodes,
    get moved() {
      return moved
    },
    stop() {
      clearInterval(watch)
      server.close()
    },
  }
}
