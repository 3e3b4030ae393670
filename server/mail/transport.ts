import { createTransport } from 'nodemailer'
import type { Config } from '#server/config.ts'
import { PermanentFailure } from '#server/kit/outbox.ts'

export type Outgoing = {
  id: string
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  attachments: { filename: string; contentType: string; content: Buffer }[]
}

/** Hands one message over, or throws: what the other side refused for good as a `PermanentFailure`, all else to be tried again. */
export type Transport = { send(mail: Outgoing): Promise<void>; close(): void }

/** By SMTP. Without SMTP_URL, in the demo, a mail is merely kept, and counts as sent. */
export function openTransport(config: Config): Transport {
  return config.SMTP_URL ? smtp(config.SMTP_URL, config.MAIL_FROM) : { send: () => Promise.resolve(), close: () => {} }
}

function smtp(url: string, from: string): Transport {
  const { hostname } = new URL(url)
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'portolan.invalid'
  const mailer = createTransport({
    url,
    requireTLS: !loopback,
    ignoreTLS: loopback,
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  } as Parameters<typeof createTransport>[0])
  return {
    async send(mail) {
      try {
        await mailer.sendMail({
          from,
          to: mail.to,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          attachments: mail.attachments,
          // The same at every try: should a server have taken the message and lost the line before saying so, the reader's program sees one.
          messageId: `<${mail.id}@${domain}>`,
        })
      } catch (error) {
        const { responseCode, message } = error as Error & { responseCode?: number }
        if (responseCode !== undefined && responseCode >= 500) throw new PermanentFailure(message, { cause: error })
        throw error
      }
    },
    close: () => mailer.close(),
  }
}
