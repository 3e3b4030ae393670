import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { leave, commandSettings, say } from '#server/command.ts'
import { openDatabase } from '#server/kit/database.ts'
import { openSuppressions } from '#server/privacy/public.ts'
import { backup, numbersLeftOut, restore } from './backup.ts'
import { backupKeyName } from './backup-file.ts'
import { migrate } from './migrate.ts'

const [command, ...args] = process.argv.slice(2)
const asCopy = command === 'restore' && args.includes('--as-copy')
const [path, ...others] = args.filter(arg => !(asCopy && arg === '--as-copy'))
if ((command !== 'backup' && command !== 'restore') || !path || path.startsWith('--') || others.length > 0)
  leave('Usage: npm run backup -- FILE | npm run restore -- FILE [--as-copy]')
const file = resolve(process.env['INIT_CWD'] ?? process.cwd(), path)
const config = commandSettings(process.env)
if (command === 'backup' && !config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres')))
  leave(`There is no database in ${config.DATA_DIR}. Name the one to copy by DATA_DIR or DATABASE_URL.`)

const keys = config.BACKUP_KEY ?? []
const howSafe = keys[0]
  ? `, encrypted with the key named ${backupKeyName(keys[0])}`
  : '. It is not encrypted: anyone who has the file can read it. To encrypt backups, set BACKUP_KEY'

const suppressions = openSuppressions(config)
if (command === 'restore' && (await suppressions.read()) === undefined)
  leave(
    `There is no list of erased data at ${suppressions.path}: what persons had erased since this copy would come back. Put the list there, or name it by SUPPRESSION_FILE. If none was ever kept, create an empty file.`,
  )

const database = await openDatabase(config)
try {
  await migrate(database, say)
  const rows = await (command === 'backup' ? backup(database, file, show, { keys }) : restore(database, file, show, { asCopy, keys }))
  show('', 0)
  console.log(
    command === 'backup'
      ? `${rows} rows written to ${file}${howSafe}`
      : `${rows} rows read from ${file}${asCopy ? ', as an installation of its own' : ''}. Jobs are held: no mail leaves until npm run jobs -- release. ${numbersLeftOut} policy numbers are left out`,
  )
} catch (error) {
  show('', 0)
  leave(`${command} failed: ${error instanceof Error ? error.message : String(error)}`)
} finally {
  await database.close()
}

function show(table: string, rows: number): void {
  if (process.stderr.isTTY) process.stderr.write(table ? `\r\u001b[K${table}: ${rows} rows` : '\r\u001b[K')
}
