import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { leave, commandSettings } from '#server/command.ts'
import { openDatabase } from '#server/kit/database.ts'
import { backup, restore } from './backup.ts'
import { migrate } from './migrate.ts'

const [verb, ...words] = process.argv.slice(2)
const asCopy = verb === 'restore' && words.includes('--as-copy')
const [given, ...others] = words.filter(word => !(asCopy && word === '--as-copy'))
if ((verb !== 'backup' && verb !== 'restore') || !given || given.startsWith('--') || others.length > 0)
  leave('Usage: npm run backup -- FILE | npm run restore -- FILE [--as-copy]')
const file = resolve(process.env['INIT_CWD'] ?? process.cwd(), given)
const config = commandSettings(process.env)
if (verb === 'backup' && !config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres')))
  leave(`There is no database in ${config.DATA_DIR}. Name the one to copy by DATA_DIR or DATABASE_URL.`)

const database = await openDatabase(config)
try {
  await migrate(database)
  const rows = await (verb === 'backup' ? backup(database, file, show) : restore(database, file, show, { asCopy }))
  show('', 0)
  console.log(
    verb === 'backup'
      ? `${rows} rows written to ${file}`
      : `${rows} rows read from ${file}${asCopy ? ', as an installation of its own' : ''}. Jobs are held: no mail leaves until npm run jobs -- release`,
  )
} catch (error) {
  show('', 0)
  leave(`${verb} failed: ${(error as Error).message}`)
} finally {
  await database.close()
}

function show(table: string, rows: number): void {
  if (process.stderr.isTTY) process.stderr.write(table ? `\r\u001b[K${table}: ${rows} rows` : '\r\u001b[K')
}
