import type { AppContext } from '#server/kit/app-context.ts'
import { accountNotice } from '#server/accounting/public.ts'
import { accessChanged, administratorMade, passwordForgotten } from '#server/session/public.ts'
import { mailAccountNotice } from './notices/account-notice.ts'
import { mailAccessChange, mailAdministratorMade, mailPasswordLink } from './notices/access.ts'
import { serveDevMail } from './dev-mail.ts'
import { mailWritten } from './queries.ts'
import { mailGivenUp, type MailSoon, mailSoon, type Sending, sendMail } from './send.ts'
import { openTransport } from './transport.ts'

type Deps = Omit<Sending, 'world' | 'transport'>

export function serveMail(context: AppContext, deps: Deps): { mailSoon: MailSoon; close: () => void } {
  const { world } = context
  const transport = openTransport(world.config)
  const sending = { world, transport, ...deps }
  world.outbox.subscribe(mailWritten, 'mail.send', sendMail(sending), { givingUp: mailGivenUp(world) })
  world.outbox.subscribe(passwordForgotten, 'mail.password_reset', mailPasswordLink(world))
  world.outbox.subscribe(accessChanged, 'mail.access_changed', mailAccessChange(world))
  world.outbox.subscribe(administratorMade, 'mail.administrator_made', mailAdministratorMade(world))
  world.outbox.subscribe(accountNotice, 'mail.account_notice', mailAccountNotice(world))
  serveDevMail(context)
  return { mailSoon: mailSoon(sending), close: transport.close }
}
