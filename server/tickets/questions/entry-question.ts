import type { accountingQuery } from '#common/accounting/calls.ts'
import { longestQuestion } from '#common/accounting/book.ts'
import { displayMoment } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { formatMoney } from '#common/kit/money.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { longest, messageProblems } from '#common/tickets/ticket.ts'
import { findEntry } from '#server/accounting/public.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { Words } from '#common/kit/words/words.ts'
import { findPolicy } from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import { insertPrepared, limitMessages } from '../file.ts'
import { mailFiled } from '../mails.ts'
import { markRead } from '../queries.ts'

/** Files a request about a movement of the money book. It names the movement, its policy and its amounts, so that support need not ask. */
export const askAboutEntry =
  (world: World): Handler<typeof accountingQuery> =>
  input => {
    const { ask, caller, locale } = input
    const problems = messageProblems(ask.text, 'text', longestQuestion)
    if (problems.length > 0) throw refuseFields(problems)
    return world.database.inScope(caller.unit.scope, async tx => {
      const entry = await findEntry(world, tx, caller, ask.entryUuid)
      const policy = entry && (await findPolicy(tx, entry.policy_id))
      if (!entry || !policy) throw new Refusal('request.not_found')
      await limitMessages(world, tx, input)
      const unit = await unitSettings(tx)
      const words = world.words(locale)
      const ticket = await insertPrepared(world, tx, {
        id: world.ids.next(),
        typeKey: 'billing',
        subject: subjectOf(entry, locale, words),
        description: [ask.text.trim(), '', ...factsOf(entry, unit.timeZone, locale, words)].join('\n'),
        policy,
        contact: { name: caller.name, email: caller.email, phone: unit.contactInfo.phone },
        userId: caller.userId,
        locale,
        entryId: entry.id,
      })
      await markRead(tx, ticket, caller.userId)
      const details = { kind: ticket.kind, type: ticket.type_key }
      await audit(world, tx, input, { action: 'ticket.filed', outcome: 'done', object: ticket.id, details })
      await mailFiled(world, tx, ticket, { unit, files: [] })
      return { ticketUuid: ticket.id, reference: ticket.reference }
    })
  }

type Entry = NonNullable<Awaited<ReturnType<typeof findEntry>>>

const subjectOf = ({ kind, number, earned_cents, currency }: Entry, locale: Locale, words: Words): string =>
  words('tickets.entry_subject', {
    kind: words('accounting.kind', { kind }),
    policy: number ?? '',
    amount: formatMoney(earned_cents, locale, currency),
  }).slice(0, longest.subject)

function factsOf(entry: Entry, timeZone: string, locale: Locale, words: Words): string[] {
  const money = (cents: number) => formatMoney(cents, locale, entry.currency)
  const facts: [label: string, value: string][] = [
    [words('accounting.what'), `${words('accounting.kind', { kind: entry.kind })}, ${displayMoment(entry.at, timeZone)}`],
    [words('accounting.policy'), words('documents.statement.version', { number: entry.number ?? '', version: entry.edition })],
    [words('accounting.gross'), money(entry.gross_cents)],
    [words('accounting.on_account'), money(entry.account_cents)],
    [words('accounting.earned'), money(entry.earned_cents)],
    [words('accounting.statement'), entry.statement ?? words('accounting.not_closed')],
    [words('documents.statement.line_id'), entry.id],
  ]
  return facts.map(([label, value]) => `${words('ui.form.field', { label })} ${value}`)
}
