import type { AppContext } from '#server/kit/app-context.ts'
import type { ReadFile } from '#server/documents/public.ts'
import { accountNotice } from '#server/accounting/public.ts'
import { accessChanged, administratorMade, passwordForgotten } from '#server/session/public.ts'
import { mailAccountNotice } from './notices/account-notice.ts'
import { mailAccessChange } from './notices/access-changed.ts'
import { mailAdministratorMade } from './notices/administrator-made.ts'
import { serveDevMail } from './dev-mail.ts'
import { mailPasswordLink } from './notices/password-reset.ts'
import { mailWritten } from './queue.ts'
import { type ClientLink, mailGivenUp, sendMail, type ValidityChecks } from './send.ts'
import { openTransport } from './transport.ts'

type Deps = { readFile: ReadFile; validityChecks: ValidityChecks; clientLink: ClientLink }

/** Returns the function that ends the connections to the mail server. */
export function serveMail(context: AppContext, { readFile, validityChecks, clientLink }: Deps): () => void {
  const { world } = context
  const transport = openTransport(world.config)
  world.outbox.subscribe(mailWritten, 'mail.send', sendMail(world, transport, readFile, validityChecks, clientLink), {
    givingUp: mailGivenUp(world),
  })
  world.outbox.subscribe(passwordForgotten, 'mail.password_reset', mailPasswordLink(world))
  world.outbox.subscribe(accessChanged, 'mail.access_changed', mailAccessChange(world))
  world.outbox.subscribe(administratorMade, 'mail.administrator_made', mailAdministratorMade(world))
  world.outbox.subscribe(accountNotice, 'mail.account_notice', mailAccountNotice(world))
  serveDevMail(context)
  return transport.close
}
