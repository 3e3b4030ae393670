import type { Front } from '#server/kit/front.ts'
import { passwordForgotten } from '#server/session/forgot-password.ts'
import { serveDevMail } from './dev-mail.ts'
import { mailPasswordLink } from './password-reset.ts'
import { mailWritten } from './queue.ts'
import { sendMail } from './send.ts'
import { openTransport, type Transport } from './transport.ts'

export function serveMail(front: Front): Transport {
  const { world } = front
  const transport = openTransport(world.config)
  world.outbox.subscribe(mailWritten, 'mail.send', sendMail(world, transport))
  world.outbox.subscribe(
    passwordForgotten,
    'mail.password_reset',
    mailPasswordLink(world, () => world.publicUrl()),
  )
  serveDevMail(front)
  return transport
}
