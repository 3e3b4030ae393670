import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type Received = { from: string; to: string[]; raw: string }

/** How the server behaves to the next message: takes it, refuses it for now or for good, or takes it and loses the line before saying so. */
export type Mood = 'take' | 'refuse-now' | 'refuse-for-good' | 'refuse-recipient' | 'drop-after-data'

export type Mailbox = { url: string; received: Received[]; be(mood: Mood): void; close(): Promise<void> }

/** A real SMTP server on loopback that keeps what it is given. */
export async function openMailbox(): Promise<Mailbox> {
  const received: Received[] = []
  let mood: Mood = 'take'
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => (mood === 'refuse-recipient' ? done(reply(550, 'no such mailbox here')) : done()),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const keep = () =>
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString(),
          })
        if (mood === 'refuse-now') return done(reply(451, 'try again later'))
        if (mood === 'refuse-for-good') return done(reply(554, 'not wanted'))
        keep()
        if (mood === 'drop-after-data') for (const connection of server.connections) connection._socket.destroy()
        else done()
        return undefined
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    be: next => {
      mood = next
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

const reply = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })
