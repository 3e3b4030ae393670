import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { leave, commandSettings } from '#server/command.ts'
import { isUpToDate, migrate } from '#server/database/migrate.ts'
import { systemClock } from '#server/kit/clock.ts'
import { type Database, openDatabase } from '#server/kit/database.ts'
import { openCatalogue } from './catalogue-check.ts'
import type { Catalogue } from './catalogue-files.ts'
import type { Fault } from './catalogue-shape.ts'
import { loadCatalogue, rehearse } from './catalogue-load.ts'

const [verb, given] = process.argv.slice(2)
if ((verb !== 'check' && verb !== 'load') || !given) leave('Usage: npm run catalogue -- check FOLDER | load FOLDER')
const folder = resolve(process.cwd(), given)
if (!existsSync(folder)) leave(`${folder} does not exist.`)
const catalogue = checked(folder)
if (verb === 'load') await load(catalogue)
else {
  console.log(`${folder}: ${catalogue.products.length} products, ${catalogue.units.length} business units, no fault`)
  console.log(await compared(catalogue))
}

function checked(place: string): Catalogue {
  const { catalogue: read, faults } = openCatalogue(place)
  return read ?? leave(told(faults, place))
}

function told(faults: Fault[], place: string): string {
  const lines = faults.map(({ file, path, fault }) => `${file}${path ? `: ${path}` : ''}: ${fault}`)
  return [...lines, `${faults.length === 1 ? '1 fault' : `${faults.length} faults`} in ${place}`].join('\n')
}

/** What a load would do or refuse. Where the database cannot be asked, the folder alone was checked, and that is said. */
async function compared(wanted: Catalogue): Promise<string> {
  const not = (why: string) => `Not compared with the database: ${why}`
  const config = commandSettings(process.env)
  if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres'))) return not(`there is none in ${config.DATA_DIR}.`)
  let database: Database | undefined
  try {
    database = await openDatabase(config)
    if (!(await isUpToDate(database.kysely))) return not('its schema is of another version.')
  } catch (error) {
    await database?.close()
    return not((error as Error).message)
  }
  const { changes, faults, left } = await rehearse(database, wanted, systemClock.now())
  await database.close()
  if (faults.length > 0) leave(told(faults, folder))
  const all = [...changes, ...left.map(each => `${each} is not in the folder and stays as it is`)]
  return all.length > 0 ? `A load would bring:\n${all.map(line => `  ${line}`).join('\n')}` : 'A load would change nothing.'
}

async function load(loaded: Catalogue): Promise<void> {
  const database = await openDatabase(commandSettings(process.env))
  await migrate(database)
  const { changes, faults } = await database.atLeisure(tx => loadCatalogue(tx, loaded, systemClock.now()))
  await database.close()
  if (faults.length > 0) leave(told(faults, folder))
  console.log(changes.length > 0 ? changes.join('\n') : 'Nothing has changed: this version is loaded already.')
}
