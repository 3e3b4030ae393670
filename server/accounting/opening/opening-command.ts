import { formatMoney, toCents } from '#common/kit/money.ts'
import { leave, commandSettings, say } from '#server/command.ts'
import { migrate } from '#server/database/migrate.ts'
import { systemClock, timeOrderedIds } from '#server/kit/clock.ts'
import { openDatabase } from '#server/kit/database.ts'
import { stateOpening } from './opening.ts'

const [agency = '', currency = '', ...rest] = process.argv.slice(2)
const [account, commission] = rest.slice(0, 2).map(amount => (/^-?\d+(\.\d+)?$/.test(amount) ? toCents(Number(amount)) : undefined))
const reason = rest.slice(2).join(' ').trim()
if (!/^[A-Z]{3}$/.test(currency) || account === undefined || commission === undefined || !reason)
  leave(
    'Usage: npm run opening -- AGENCY CURRENCY OWED_ON_ACCOUNT OWED_AS_COMMISSION REASON, as: azahar EUR 1204.50 96 Agreed on 3 December',
  )

const database = await openDatabase(commandSettings(process.env))
try {
  await migrate(database, say)
  const world = { database, realTime: systemClock, ids: timeOrderedIds(systemClock) }
  const before = await stateOpening(world, { agency, currency, stated: { account, commission }, reason })
  const shown = (cents: number) => formatMoney(cents, 'en-EN', currency)
  console.log(
    `The account of ${agency} opens with ${shown(account)} owed by it and ${shown(commission)} of commission owed to it (before: ${shown(before.account)} and ${shown(before.commission)}).`,
  )
} finally {
  await database.close()
}
