import { connect, createServer, type Server, type Socket } from 'node:net'

/** When the line is cut around a COMMIT: it never arrives; it arrives, but its answer does not; its answer arrives, and then the line goes. */
export type Moment = 'before' | 'during' | 'after'

/** A line to the database that can be cut at a commit, led elsewhere, or made to fall silent. */
export type Wire = {
  port: number
  cutAt(moment: Moment | undefined, skip?: number): void
  readonly cuts: number
  leadTo(port: number): void
  stop(): void
}

export async function openWire(to: number): Promise<Wire> {
  let [target, armed, skip, cuts] = [to, undefined as Moment | undefined, 0, 0]
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
    let awaiting: Moment | undefined
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
      // After its answer is on its way, and before anybody makes use of the line again.
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
    leadTo(port) {
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
