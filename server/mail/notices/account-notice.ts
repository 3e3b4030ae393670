import { intlTag, isLocale, type Locale } from '#common/kit/locales.ts'
import { displayDate } from '#common/kit/dates.ts'
import { formatMoney } from '#common/kit/money.ts'
import { type AccountNotice, dueOfRow, statementById, type StatementRow } from '#server/accounting/public.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { type UnitTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { membersWith, scopeOf } from '#server/session/public.ts'
import { queueMail } from '../queries.ts'
import type { Params, Template } from '../templates.ts'

/** Writes to those who see the accounts of the whole agency, each in their language, with a link instead of figures of clients. */
export const mailAccountNotice =
  (world: World): Subscriber =>
  async job => {
    // Safe: the accounting feature publishes this topic.
    const notice = job.payload as AccountNotice
    // Users belong to no unit, so only the service can read which of them are members.
    await world.database.asService(async serviceTx => {
      const tx = within(serviceTx, scopeOf(job.businessUnitId))
      const written = await writerOf(tx, notice)
      if (!written) return
      const unit = await unitSettings(tx)
      for (const { id, name, email, locale } of await membersWith(tx, 'b2b-accounting-view')) {
        const theirs = isLocale(locale) ? locale : unit.locale
        await queueMail(world, tx, {
          to: { name, address: email },
          template: written.template,
          locale: theirs,
          params: { ...written.params(theirs), name, link: `${world.publicUrl()}/earnings${written.search}` },
          // A job writes one email to each user, however often it is repeated.
          causedBy: { ...job, id: stableId(job.id, id) },
        })
      }
    })
  }

type Written = { template: Template; search: string; params: (locale: Locale) => Params }

const templates = { ready: 'statement_ready', due: 'statement_due' } as const

async function writerOf(tx: UnitTx, notice: AccountNotice): Promise<Written | undefined> {
  if (notice.kind === 'limit') {
    const { level, limit, used, currency } = notice
    const params = (locale: Locale) => ({
      level,
      limit: formatMoney(limit, locale, currency),
      used: formatMoney(used, locale, currency),
    })
    return { template: 'account_limit', search: '', params }
  }
  if (notice.kind === 'overdue') {
    const { amounts, since } = notice
    const params = (locale: Locale) => ({
      amount: amounts.map(({ open, currency }) => formatMoney(open, locale, currency)).join(' + '),
      since: displayDate(since) ?? since,
    })
    return { template: 'statement_overdue', search: '?tab=statements', params }
  }
  const row = await statementById(tx, notice.statementId)
  if (!row) return undefined
  const search = `?tab=statements&statement=${encodeURIComponent(row.number)}`
  const params = (locale: Locale) => ({
    ...statementParams(row, locale),
    ...(notice.kind === 'ready' ? duesOf(row, locale) : { amount: formatMoney(notice.open, locale, row.currency) }),
  })
  return { template: templates[notice.kind], search, params }
}

function statementParams({ number, month, due_on }: StatementRow, locale: Locale) {
  const format = new Intl.DateTimeFormat(intlTag(locale), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return { number, month: format.format(new Date(`${month}T00:00:00Z`)), due: displayDate(due_on) ?? due_on }
}

/** Says who pays whom for a statement, and what commission the insurer pays apart from the account. */
function duesOf(row: StatementRow, locale: Locale) {
  const { account, commission } = dueOfRow(row)
  const money = (cents: number) => formatMoney(Math.abs(cents), locale, row.currency)
  return {
    pays: account > 0 ? 'agency' : account < 0 ? 'insurer' : 'none',
    amount: money(account),
    commission: commission === 0 ? 'none' : money(commission),
  }
}
