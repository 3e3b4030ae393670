import type { FastifyRequest } from 'fastify'
import { Refusal } from '#common/kit/refusals.ts'
import type { Front, World } from '#server/kit/front.ts'

/** The demo's outbox, for a developer at this machine: what would have been sent. */
export function serveDevMail({ http, world }: Front): void {
  if (world.config.production) return
  http.get('/dev/mail.json', async request => {
    onlyHere(request)
    return keptMails(world)
  })
  http.get('/dev/mail', async (request, reply) => {
    onlyHere(request)
    const mails = await keptMails(world)
    const list = mails
      .map(({ to, subject, text }) => `<article><h2>${escape(subject)}</h2><p>${escape(to)}</p><pre>${escape(text)}</pre></article>`)
      .join('')
    return reply
      .type('text/html; charset=utf-8')
      .send(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Outbox</title></head><body><h1>Outbox</h1>${list}</body></html>`,
      )
  })
}

function onlyHere(request: FastifyRequest): void {
  if (!['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.ip)) throw new Refusal('request.not_found')
}

async function keptMails(world: World) {
  const rows = await world.database.asService(tx =>
    tx.selectFrom('mails').selectAll().where('subject', 'is not', null).orderBy('at', 'desc').orderBy('id', 'desc').limit(200).execute(),
  )
  return rows.map(row => ({
    to: row.recipient_address,
    subject: row.subject ?? '',
    text: row.text_body ?? '',
    html: row.html_body ?? '',
    attachments: row.attachments.map(({ filename, contentType, size }) => ({ filename, contentType, size })),
  }))
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
