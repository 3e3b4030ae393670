import { connect, type Socket } from 'node:net'

/** A caller that keeps one connection and asks one thing after another: as little work as HTTP allows, so that the machine is left to the server. */
export type Line = { ask(head: string, body: string): Promise<{ status: number; body: string }>; close(): void }

export async function openLine(origin: string): Promise<Line> {
  const { hostname, port } = new URL(origin)
  const socket: Socket = await new Promise((resolve, reject) => {
    const made = connect({ port: Number(port), host: hostname, noDelay: true }, () => resolve(made))
    made.once('error', reject)
  })
  let waiting: { resolve: (reply: { status: number; body: string }) => void; reject: (error: Error) => void } | undefined
  let held = Buffer.alloc(0)
  socket.on('data', data => {
    held = held.length === 0 ? data : Buffer.concat([held, data])
    const end = held.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = held.toString('latin1', 0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (held.length < end + 4 + length) return
    const reply = { status: Number(head.slice(9, 12)), body: held.toString('utf8', end + 4, end + 4 + length) }
    held = held.subarray(end + 4 + length)
    waiting?.resolve(reply)
  })
  socket.on('error', error => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the line was cut')))
  return {
    ask: (head, body) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
      }),
    close: () => void socket.destroy(),
  }
}

/** The lines before the body, all but its length. */
export const headOf = (method: string, path: string, headers: Record<string, string> = {}): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
  ].join('\r\n')

export type Measured = { perSecond: number; p50: number; p95: number; p99: number; count: number }

/** So many callers at it for so many seconds; each does `work` again and again. */
export async function load(
  origin: string,
  callers: number,
  seconds: number,
  work: (line: Line, round: number) => Promise<void>,
): Promise<Measured> {
  const lines = await Promise.all(Array.from({ length: callers }, () => openLine(origin)))
  const times: number[] = []
  let round = 0
  const until = performance.now() + seconds * 1000
  const began = performance.now()
  await Promise.all(
    lines.map(async line => {
      while (performance.now() < until) {
        const start = performance.now()
        await work(line, round++)
        times.push(performance.now() - start)
      }
      line.close()
    }),
  )
  const took = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: times.length / took, p50: at(0.5), p95: at(0.95), p99: at(0.99), count: times.length }
}
