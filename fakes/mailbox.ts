import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { mailboxCertificate, mailboxKey } from './mailbox-certificate.ts'

export type Received = { from: string; to: string[]; raw: string; encrypted: boolean }

/** Where in the conversation the server says no, and with which number. */
const refusals = {
  'refuse-connection': { at: 'connect', code: 554, words: 'no service for you' },
  'refuse-password': { at: 'auth', code: 535, words: 'wrong password' },
  'refuse-sender': { at: 'sender', code: 550, words: 'we do not know you' },
  'refuse-recipient': { at: 'recipient', code: 550, words: 'no such mailbox here' },
  'refuse-recipient-now': { at: 'recipient', code: 450, words: 'come again later' },
  'refuse-size': { at: 'sender', code: 552, words: 'too large' },
  'refuse-now': { at: 'data', code: 451, words: 'try again later' },
  'refuse-for-good': { at: 'data', code: 554, words: 'not wanted' },
} as const

/** How the server behaves to what comes next: takes it, refuses it, takes it and loses the line before saying so, or says nothing at all. */
export type Mood = 'take' | keyof typeof refusals | 'drop-after-data' | 'say-nothing'

export type Mailbox = { url: string; port: number; received: Received[]; be(mood: Mood): void; close(): Promise<void> }

/** A real SMTP server on loopback that keeps what it is given; with a certificate it offers to encrypt. */
export async function openMailbox({ encrypts = false, user = '' } = {}): Promise<Mailbox> {
  const received: Received[] = []
  let mood: Mood = 'take'
  const noAt = (place: string): Error | null => {
    const refusal = mood in refusals ? refusals[mood as keyof typeof refusals] : undefined
    return refusal?.at === place ? Object.assign(new Error(refusal.words), { responseCode: refusal.code }) : null
  }
  const server = new SMTPServer({
    ...(encrypts ? { key: mailboxKey, cert: mailboxCertificate } : {}),
    authOptional: user === '',
    disabledCommands: [...(encrypts ? [] : ['STARTTLS']), ...(user ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (_session, done) => done(noAt('connect')),
    onAuth: (given, _session, done) => done(noAt('auth'), given.username === user ? { user } : {}),
    onMailFrom: (_address, _session, done) => done(noAt('sender')),
    onRcptTo: (_address, _session, done) => done(noAt('recipient')),
    onData(stream, { envelope, secure }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refused = noAt('data')
        if (refused) return done(refused)
        if (mood === 'say-nothing') return undefined
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ from, to, raw: Buffer.concat(chunks).toString(), encrypted: secure })
        if (mood === 'drop-after-data') return server.connections.forEach(connection => connection._socket.destroy())
        return done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    be: next => {
      mood = next
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
