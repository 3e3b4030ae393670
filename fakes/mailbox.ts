import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { mailboxCertificate, mailboxKey } from './mailbox-certificate.ts'

type Received = { from: string; to: string[]; raw: string; encrypted: boolean }

/** The SMTP step at which each mood rejects, with code and message. */
const refusals = {
  'refuse-connection': { at: 'connect', code: 554, message: 'no service' },
  'refuse-password': { at: 'auth', code: 535, message: 'wrong password' },
  'refuse-sender': { at: 'sender', code: 550, message: 'unknown sender' },
  'refuse-recipient': { at: 'recipient', code: 550, message: 'no such mailbox here' },
  'refuse-recipient-now': { at: 'recipient', code: 450, message: 'mailbox busy' },
  'refuse-size': { at: 'sender', code: 552, message: 'too large' },
  'refuse-now': { at: 'data', code: 451, message: 'try again later' },
  'refuse-for-good': { at: 'data', code: 554, message: 'rejected' },
} as const

/** The server's next response: accept, reject, accept but drop the connection before confirming, or stay silent. */
export type Mood = 'take' | keyof typeof refusals | 'drop-after-data' | 'say-nothing'

export type Mailbox = {
  url: string
  port: number
  received: Received[]
  /** Returns the number of connections opened so far. */
  connections(): number
  be(mood: Mood): void
  /** Closes the open connections, as a restarting server does. */
  hangUp(): void
  close(): Promise<void>
}

/** Starts a real SMTP server on loopback that records all emails. With `encrypts` it offers STARTTLS. */
export async function openMailbox({ encrypts = false, user = '' } = {}): Promise<Mailbox> {
  const received: Received[] = []
  let mood: Mood = 'take'
  let connections = 0
  const rejectionAt = (step: string): Error | null => {
    // Safe: `in` has checked it.
    const refusal = mood in refusals ? refusals[mood as keyof typeof refusals] : undefined
    return refusal?.at === step ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null
  }
  const server = new SMTPServer({
    ...(encrypts ? { key: mailboxKey, cert: mailboxCertificate } : {}),
    authOptional: user === '',
    disabledCommands: [...(encrypts ? [] : ['STARTTLS']), ...(user ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      connections += 1
      done(rejectionAt('connect'))
    },
    onAuth: (login, _session, done) => done(rejectionAt('auth'), login.username === user ? { user } : {}),
    onMailFrom: (_address, _session, done) => done(rejectionAt('sender')),
    onRcptTo: (_address, _session, done) => done(rejectionAt('recipient')),
    onData(stream, { envelope, secure }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const rejection = rejectionAt('data')
        if (rejection) return done(rejection)
        if (mood === 'say-nothing') return undefined
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ from, to, raw: Buffer.concat(chunks).toString(), encrypted: secure })
        if (mood === 'drop-after-data') return hangUp()
        return done()
      })
    },
  })
  const hangUp = () => server.connections.forEach(connection => connection._socket.destroy())
  server.on('error', () => {})
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  // Safe: it listens on a port.
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    connections: () => connections,
    hangUp,
    be: next => {
      mood = next
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
