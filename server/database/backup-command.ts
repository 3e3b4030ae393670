import { resolve } from 'node:path'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/kit/database.ts'
import { backup, restore } from './backup.ts'
import { migrate } from './migrate.ts'

const [verb, given] = process.argv.slice(2)
if ((verb !== 'backup' && verb !== 'restore') || !given) leave('Usage: npm run backup -- FILE | npm run restore -- FILE')
const file = resolve(process.env['INIT_CWD'] ?? process.cwd(), given)
const config = readConfig(process.env)
if (Array.isArray(config)) leave(config.map(({ name, fault }) => `${name} ${fault}`).join('\n'))

const database = await openDatabase(config).catch((error: Error) => leave(error.message))
try {
  await migrate(database)
  if (verb === 'restore') await refuseUsed()
  const rows = await (verb === 'backup' ? backup : restore)(database, file, show)
  show('', 0)
  console.log(verb === 'backup' ? `${rows} rows written to ${file}` : `${rows} rows read from ${file}`)
} catch (error) {
  show('', 0)
  leave(`${verb} failed: ${(error as Error).message}`)
} finally {
  await database.close()
}

/** What is there is never overwritten: a copy is read into a fresh database only. */
async function refuseUsed(): Promise<void> {
  const used = await database.kysely.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (used) throw new Error('this database is in use. Restore into an empty one: another DATA_DIR or DATABASE_URL')
}

function show(table: string, rows: number): void {
  if (process.stderr.isTTY) process.stderr.write(table ? `\r\u001b[K${table}: ${rows} rows` : '\r\u001b[K')
}

function leave(text: string): never {
  console.error(text)
  process.exit(1)
}
