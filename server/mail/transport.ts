import type { Transporter } from 'nodemailer'
import type { Config } from '#server/config.ts'
import { later, wantSoon } from '#server/kit/work/later.ts'
import { PermanentFailure } from '#server/kit/work/outbox.ts'
import { addressOf, isOneAddress, oneLine } from '../kit/mail-address.ts'

type Party = { name: string; address: string }
export type Outgoing = {
  id: string
  at: Date
  /** The unit: the sender's name, and the reply address unless `replyTo` is set. */
  brand: Party
  replyTo?: string
  to: Party
  subject: string
  text: string
  html: string
  attachments: { filename: string; contentType: string; content: Buffer }[]
}

export type Transport = {
  /** Sends one message, or throws: a `PermanentFailure` if the server refused it for good, any other error for a retry. */
  send(mail: Outgoing): Promise<void>
  /** Closes its connections to the server. */
  close: () => void
}

/** The timeout for a server that keeps the connection open but hardly responds. */
const defaultTimeoutMs = 60_000
/** About as many as emails leave at the same time (outbox.ts). One more waits for a connection. */
const mostConnections = 8

const library = later(() => import('nodemailer'))

/** Opens the SMTP transport. Without SMTP_URL, as in the demo, emails count as sent and are only stored. */
export function openTransport(config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>, timeoutMs = defaultTimeoutMs): Transport {
  if (!config.SMTP_URL) return { send: () => Promise.resolve(), close: () => {} }
  const sender = addressOf(config.MAIL_FROM) ?? ''
  const options = optionsOf(new URL(config.SMTP_URL))
  wantSoon(library)
  let mailer: Transporter | undefined
  return {
    async send({ id, at, brand, replyTo = brand.address, to, subject, text, html, attachments }) {
      if (!isOneAddress(to.address)) throw new PermanentFailure('the recipient is not one plain address')
      const message = {
        from: partyOf({ ...brand, address: sender }),
        replyTo: partyOf({ ...brand, address: replyTo }),
        to: partyOf(to),
        subject: oneLine(subject),
        text,
        html,
        attachments: attachments.map(file => ({ ...file, filename: oneLine(file.filename), contentType: oneLine(file.contentType) })),
        // The same for every try: if a response was lost, the reader's program recognises the duplicate.
        messageId: `<${id}@${sender.split('@')[1]}>`,
        date: at,
        // Prevents automatic replies (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(timeoutMs),
      }
      mailer ??= (await library()).createTransport(options)
      await mailer.sendMail(message).catch((error: SmtpError) => {
        const message = error.response ?? error.message
        throw isPermanent(error) ? new PermanentFailure(message, { cause: error }) : new Error(message, { cause: error })
      })
    },
    close: () => mailer?.close(),
  }
}

/** Parses the URL here, as the mailer would let its query switch off encryption. */
function optionsOf({ protocol, hostname, port, username, password }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '')
  const loopback = ['localhost', '127.0.0.1', '::1'].includes(host)
  const secure = protocol === 'smtps:'
  return {
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: !loopback,
    ignoreTLS: loopback,
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    // A connection carries many emails, one after another. An idle one that the server has closed is replaced before anything is sent.
    pool: true as const,
    maxConnections: mostConnections,
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  }
}

/** Keeps name and address apart, so that neither can be read as the other. */
const partyOf = ({ name, address }: Party): Party => ({ name: oneLine(name), address })

type SmtpError = Error & { code?: string; command?: string; responseCode?: number; response?: string }

/**
 * True if the server refused the message or its recipient for good. A server that refuses the service itself (a wrong password, an unknown
 * sender) refuses every email until an operator corrects that, so such errors are temporary.
 */
function isPermanent({ code, command, responseCode }: SmtpError): boolean {
  if (responseCode === undefined) return code === 'EMESSAGE'
  return responseCode === tooLarge || (responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA'))
}

const tooLarge = 552
