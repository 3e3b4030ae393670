import { connect, createServer, type Server, type Socket } from 'node:net'

/** The moment of the cut around a COMMIT: before it arrives, after it but before its response, or after its response. */
export type CutPoint = 'before' | 'during' | 'after'

/** A proxy to the database whose connections can be cut at a commit or redirected. */
export type ConnectionProxy = {
  port: number
  cutAt(moment: CutPoint | undefined, skip?: number): void
  readonly cuts: number
  redirectTo(port: number): void
  stop(): void
}

export async function openProxy(to: number): Promise<ConnectionProxy> {
  let armed: CutPoint | undefined
  let [target, skip, cuts] = [to, 0, 0]
  const sockets = new Set<Socket>()
  const server: Server = createServer(client => {
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => {})
    }
    const cut = () => {
      cuts += 1
      client.destroy()
      upstream.destroy()
    }
    let awaiting: CutPoint | undefined
    client.on('data', data => {
      if (armed !== undefined && isCommit(data) && skip-- <= 0) {
        awaiting = armed
        armed = undefined
        if (awaiting === 'before') return cut()
      }
      upstream.write(data)
    })
    upstream.on('data', data => {
      if (awaiting === 'during') return cut()
      client.write(data)
      // The response is sent, and the connection is not used again before the cut.
      if (awaiting === 'after') setImmediate(cut)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: address && typeof address === 'object' ? address.port : 0,
    cutAt(moment, skipping = 0) {
      armed = moment
      skip = skipping
    },
    get cuts() {
      return cuts
    },
    redirectTo(port) {
      target = port
      for (const socket of sockets) socket.destroy()
    },
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const isCommit = (data: Buffer): boolean => /\0commit\0|^Q....commit\0/is.test(data.toString('latin1'))
