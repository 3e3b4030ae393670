import { leave, commandSettings } from '#server/command.ts'
import { migrate } from '#server/database/migrate.ts'
import { systemClock, timeOrderedIds } from '#server/kit/clock.ts'
import { openDatabase } from '#server/kit/database.ts'
import { carryOut, verbs } from './jobs-verbs.ts'

const verb = verbs.find(name => name === process.argv[2]) ?? leave(`Usage: npm run jobs -- ${verbs.join(' | ')}`)
const database = await openDatabase(commandSettings(process.env))
try {
  await migrate(database)
  console.log((await carryOut({ database, clock: systemClock, ids: timeOrderedIds(systemClock) }, verb)).join('\n'))
} finally {
  await database.close()
}
