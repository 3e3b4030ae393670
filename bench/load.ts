import { connect, type Socket } from 'node:net'

/** A minimal HTTP client with one connection and one request at a time. It leaves the machine to the server. */
export type Connection = { ask(head: string, body: string): Promise<Answer>; close(): void }
/** `head`: the status line and the headers. */
type Answer = { status: number; head: string; body: string }

export async function openConnection(origin: string): Promise<Connection> {
  const { hostname, port } = new URL(origin)
  const socket: Socket = await new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
  let pending: { resolve: (reply: Answer) => void; reject: (error: Error) => void } | undefined
  let received = Buffer.alloc(0)
  socket.on('data', data => {
    received = received.length === 0 ? data : Buffer.concat([received, data])
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = received.toString('latin1', 0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (received.length < end + 4 + length) return
    const reply = { status: Number(head.slice(9, 12)), head, body: received.toString('utf8', end + 4, end + 4 + length) }
    received = received.subarray(end + 4 + length)
    pending?.resolve(reply)
  })
  socket.on('error', error => pending?.reject(error))
  socket.on('close', () => pending?.reject(new Error('the connection was closed')))
  return {
    ask: (head, body) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject }
        socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
      }),
    close: () => void socket.destroy(),
  }
}

/** Returns the request line and headers without Content-Length. */
export const headOf = (method: string, path: string, headers: Record<string, string> = {}): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
  ].join('\r\n')

export type Measured = { perSecond: number; p50: number; p95: number; p99: number; count: number }

/** Lets this many callers repeat `task` for this many seconds. */
export async function load(
  origin: string,
  callers: number,
  seconds: number,
  task: (connection: Connection, round: number) => Promise<void>,
): Promise<Measured> {
  const connections = await Promise.all(Array.from({ length: callers }, () => openConnection(origin)))
  const times: number[] = []
  let round = 0
  const until = performance.now() + seconds * 1000
  const began = performance.now()
  await Promise.all(
    connections.map(async connection => {
      while (performance.now() < until) {
        const start = performance.now()
        await task(connection, round++)
        times.push(performance.now() - start)
      }
      connection.close()
    }),
  )
  const took = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: times.length / took, p50: at(0.5), p95: at(0.95), p99: at(0.99), count: times.length }
}

type Call = { path: string; headers: Record<string, string>; body: object }

/** Returns the 95th percentile in ms for one caller who repeats a call for this many seconds. */
export async function p95Of(origin: string, { path, headers, body }: Call, seconds: number): Promise<number> {
  const [head, text] = [headOf('POST', path, headers), JSON.stringify(body)]
  const { p95 } = await load(origin, 1, seconds, async connection => {
    const { status } = await connection.ask(head, text)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
  })
  return p95
}
