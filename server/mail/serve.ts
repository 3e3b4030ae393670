import type { AppContext } from '#server/kit/app-context.ts'
import { accessChanged, passwordForgotten } from '#server/session/public.ts'
import { mailAccessChange } from './notices/access-changed.ts'
import { serveDevMail } from './dev-mail.ts'
import { mailPasswordLink } from './notices/password-reset.ts'
import { mailWritten } from './queue.ts'
import { mailGivenUp, type ReadFile, sendMail, type ValidityChecks } from './send.ts'
import { openTransport } from './transport.ts'

export function serveMail(context: AppContext, readFile: ReadFile, validityChecks: ValidityChecks): void {
  const { world } = context
  world.outbox.subscribe(
    mailWritten,
    'mail.send',
    sendMail(world, openTransport(world.config), readFile, validityChecks),
    mailGivenUp(world),
  )
  world.outbox.subscribe(passwordForgotten, 'mail.password_reset', mailPasswordLink(world))
  world.outbox.subscribe(accessChanged, 'mail.access_changed', mailAccessChange(world))
  serveDevMail(context)
}
