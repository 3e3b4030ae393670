import { leave, commandSettings, say } from '#server/command.ts'
import { migrate } from '#server/database/migrate.ts'
import { systemClock, timeOrderedIds } from '#server/kit/clock.ts'
import { openDatabase } from '#server/kit/database.ts'
import { jobCommands, runJobCommand } from './run-job-command.ts'

const command = jobCommands.find(name => name === process.argv[2]) ?? leave(`Usage: npm run jobs -- ${jobCommands.join(' | ')}`)
const database = await openDatabase(commandSettings(process.env))
try {
  await migrate(database, say)
  console.log((await runJobCommand({ database, realTime: systemClock, ids: timeOrderedIds(systemClock) }, command)).join('\n'))
} finally {
  await database.close()
}
