import type { FastifyRequest } from 'fastify'
import { Refusal } from '#common/kit/refusals.ts'
import type { AppContext, World } from '#server/kit/app-context.ts'
import { isFromThisMachine } from '#server/kit/http/loopback.ts'
import { storedMails } from './queries.ts'
import { escape } from './templates.ts'

/** Allows an email's styles, but no script. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'"

/** Shows the emails that would have been sent, the newest first: only outside production and on this machine. */
export function serveDevMail({ http, world }: AppContext): void {
  if (world.config.production) return
  http.get('/dev/mail.json', async request => displayedMails(world, request))
  http.get('/dev/mail', async (request, reply) => {
    const mails = await displayedMails(world, request)
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page(mails))
  })
}

type DisplayedMails = Awaited<ReturnType<typeof displayedMails>>

async function displayedMails(world: World, request: FastifyRequest) {
  if (!isFromThisMachine(request)) throw new Refusal('request.not_found')
  const rows = await world.database.asService(storedMails)
  return rows.map(row => ({
    to: row.recipient_address,
    subject: row.subject ?? '',
    text: row.text_body ?? '',
    html: row.html_body ?? '',
    attachments: row.attachments.map(({ filename, contentType, size }) => ({ filename, contentType, size })),
  }))
}

const page = (mails: DisplayedMails): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>/dev/mail</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:32px auto;padding:0 16px}article{border-top:1px solid #ddd;padding:16px 0}
h2{font-size:17px;margin:0}pre{white-space:pre-wrap;overflow-wrap:anywhere}iframe{width:100%;height:420px;border:1px solid #ddd}</style></head>
<body><h1>/dev/mail (${mails.length})</h1>${mails.map(article).join('')}</body></html>`

const article = ({ to, subject, text, html, attachments }: DisplayedMails[number]): string =>
  `<article><h2>${escape(subject)}</h2><p>${escape(to)}</p><iframe title="HTML" sandbox="" srcdoc="${escape(html)}"></iframe>
${attachments.map(({ filename, contentType, size }) => `<p>📎 ${escape(filename)} · ${escape(contentType)} · ${size} B</p>`).join('')}
<pre>${linked(escape(text))}</pre></article>`

const linked = (escaped: string): string => escaped.replaceAll(/https?:\/\/[^\s<]+/g, address => `<a href="${address}">${address}</a>`)
