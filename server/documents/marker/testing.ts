import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import { portOf } from '#server/kit/testing.ts'
import { chunk } from '#server/kit/upload/testing.ts'

export type Bucket = {
  /** The value for FILE_STORE. */
  address: string
  kept: Map<string, Buffer>
  /** How often each method was asked for. */
  asked: Map<string, number>
  setMode(mode: 'well' | 'keeps all' | 'down'): void
  close(): void
}

/** Starts a bucket that can be down, or refuse to delete. */
export async function openBucket(): Promise<Bucket> {
  const [kept, asked] = [new Map<string, Buffer>(), new Map<string, number>()]
  let mode: Parameters<Bucket['setMode']>[0] = 'well'
  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const [at, method, content] = [request.url ?? '', request.method ?? '', await buffer(request)]
    asked.set(method, (asked.get(method) ?? 0) + 1)
    if (mode === 'down' || (mode === 'keeps all' && method === 'DELETE')) return void reply.writeHead(503).end('SlowDown')
    if (method === 'PUT') kept.set(at, content)
    if (method === 'DELETE') kept.delete(at)
    const found = kept.get(at)
    reply.writeHead(!found && (method === 'GET' || method === 'HEAD') ? 404 : 200).end(method === 'HEAD' ? undefined : found)
  }
  const server = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `s3://key:secret@127.0.0.1:${portOf(server)}/papers?tls=false`,
    kept,
    asked,
    setMode: now => {
      mode = now
    },
    close: () => server.close(),
  }
}

/** Returns a picture of noise, which no compression makes small enough to be kept with the settings. */
export function largePicture(): string {
  const side = 200
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2], 8)
  const rows = Array.from({ length: side }, () => Buffer.concat([Buffer.alloc(1), randomBytes(side * 3)]))
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]
  return `data:image/png;base64,${Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]).toString('base64')}`
}
