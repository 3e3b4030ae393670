import { createTransport } from 'nodemailer'
import type { Config } from '#server/config.ts'
import { PermanentFailure } from '#server/kit/work/outbox.ts'
import { addressOf, isOneAddress, oneLine } from '../kit/mail-address.ts'

type Party = { name: string; address: string }
export type Outgoing = {
  id: string
  at: Date
  /** The unit: its name stands for the sender's, and answers go to it, unless another address is named. */
  brand: Party
  replyTo?: string
  to: Party
  subject: string
  text: string
  html: string
  attachments: { filename: string; contentType: string; content: Buffer }[]
}

/** Hands one message over, or throws: what the other side refused for good as a `PermanentFailure`, all else to be tried again. */
export type Transport = { send(mail: Outgoing): Promise<void> }

/** A server that keeps the line open and says nothing, or next to nothing, has had its turn after this long. */
const patienceMs = 60_000

/** By SMTP. Without SMTP_URL, in the demo, a mail is merely kept, and counts as sent. */
export function openTransport(config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>, patience = patienceMs): Transport {
  if (!config.SMTP_URL) return { send: () => Promise.resolve() }
  const sender = addressOf(config.MAIL_FROM) ?? ''
  const mailer = createTransport(optionsOf(new URL(config.SMTP_URL)))
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
        // The same at every try: should a server have taken the message and lost the line before saying so, the reader's program sees one.
        messageId: `<${id}@${sender.split('@')[1]}>`,
        date: at,
        // So that nobody's holiday notice answers a machine (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(patience),
      }
      await mailer.sendMail(message).catch((error: SmtpError) => {
        const said = error.response ?? error.message
        throw isFinal(error) ? new PermanentFailure(said, { cause: error }) : new Error(said, { cause: error })
      })
    },
  }
}

/** Taken apart here, because the mailer would let the URL's query switch the encryption off again. */
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
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  }
}

/** A name and an address apart, so that the one can never be read as the other. */
const partyOf = ({ name, address }: Party): Party => ({ name: oneLine(name), address })

type SmtpError = Error & { code?: string; command?: string; responseCode?: number; response?: string }

/**
 * Refused for good is a message or its reader. A server that refuses ourselves (a wrong password, a sender that it does not know) refuses
 * every mail: somebody will mend that, and then they all go out.
 */
function isFinal({ code, command, responseCode }: SmtpError): boolean {
  if (responseCode === undefined) return code === 'EMESSAGE'
  return responseCode === tooLarge || (responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA'))
}

const tooLarge = 552
