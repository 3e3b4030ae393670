import { commandSettings, leave, say } from '#server/command.ts'
import { openDatabase } from '#server/kit/database.ts'
import { distribute } from './distribute.ts'
import { migrate } from './migrate.ts'

/** Several for each machine that may ever be added: a unit's rows move with their shard. */
const usualShards = 32

const [option, value = '', ...others] = process.argv.slice(2)
const shards = option === undefined ? usualShards : Number(value)
if ((option !== undefined && option !== '--shards') || others.length > 0 || !Number.isInteger(shards) || shards < 1)
  leave('Usage: npm run distribute [-- --shards N]')
const config = commandSettings(process.env)
const database = await openDatabase({ ...config, DATABASE_POOL: 1 })
try {
  await migrate(database, say)
  const done = await distribute(database, { shards }, show)
  show('')
  console.log(
    `${done.distributed} tables were distributed by unit over ${done.nodes} machines, and ${done.copied} were copied to each. ${done.local} tables stay on the first`,
  )
} catch (error) {
  show('')
  leave(`distribute failed: ${error instanceof Error ? error.message : String(error)}`)
} finally {
  await database.close()
}

function show(table: string): void {
  if (process.stderr.isTTY) process.stderr.write(table ? `\r\u001b[K${table}` : '\r\u001b[K')
}
