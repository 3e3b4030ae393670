import { fieldProblems } from '#common/kit/validators/all.ts'
import { leave, commandSettings, say } from '#server/command.ts'
import { migrate } from '#server/database/migrate.ts'
import { systemClock, timeOrderedIds } from '#server/kit/clock.ts'
import { openDatabase } from '#server/kit/database.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'
import { makeAdministrator } from './administrator.ts'

const [address = '', ...names] = process.argv.slice(2)
const email = address.trim().toLowerCase()
const name = names.join(' ').trim()
if (!name || !isOneAddress(email) || fieldProblems('email', email, ['required', 'email'], { locale: 'en-EN', today: '' }).length > 0)
  leave('Usage: npm run administrator -- E-MAIL NAME')

const config = commandSettings(process.env)
const database = await openDatabase(config)
try {
  await migrate(database, say)
  const path = await makeAdministrator({ config, database, realTime: systemClock, ids: timeOrderedIds(systemClock) }, email, name)
  const origin = config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`
  console.log(`${email} is an administrator.`)
  if (path) console.log(`A password is chosen here, once, within 30 minutes: ${new URL(path, origin).href}`)
} finally {
  await database.close()
}
