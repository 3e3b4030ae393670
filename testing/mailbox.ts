import { SMTPServer } from 'smtp-server'
import type { Json } from './agent.ts'

type Mood = 'takes' | 'later' | 'never' | 'drops' | 'takes and drops'

/** Starts a mail server that can be set to fail. It records the Message-ID of each message and passes it to `onMessage`. */
export async function openMailServer(onMessage: (id: string) => void = () => {}) {
  const received: string[] = []
  let mood: Mood = 'takes'
  // Safe: the server keeps its connections in this undocumented set.
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo(_address, _session, done) {
      if (mood === 'later') return done(Object.assign(new Error('try again later'), { responseCode: 451 }))
      if (mood === 'never') return done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }))
      if (mood === 'drops') return hangUp()
      done()
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const message = Buffer.concat(chunks)
        // The head alone: an id that was found in the whole message would keep it in memory, with its documents.
        const head = message.toString('latin1', 0, message.indexOf('\r\n\r\n'))
        const id = /^Message-ID: (.+)$/im.exec(head)?.[1]?.trim() ?? ''
        received.push(id)
        onMessage(id)
        // The message is received, but the connection closes before the confirmation.
        if (mood === 'takes and drops') return hangUp()
        done()
      })
    },
  }) as SMTPServer & { connections: Set<Json> }
  const hangUp = () => {
    for (const one of server.connections) one.close()
  }
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  return {
    url: `smtp://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
    received,
    be: (now: Mood) => (mood = now),
    stop: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}
