import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { leave, settings } from '#server/command.ts'
import { migrate } from '#server/database/migrate.ts'
import { systemClock } from '#server/kit/clock.ts'
import { openDatabase } from '#server/kit/database.ts'
import { openCatalogue } from './catalogue-check.ts'
import type { Catalogue, Fault } from './catalogue-files.ts'
import { loadCatalogue } from './catalogue-load.ts'

const [verb, given] = process.argv.slice(2)
if ((verb !== 'check' && verb !== 'load') || !given) leave('Usage: npm run catalogue -- check FOLDER | load FOLDER')
const folder = resolve(process.cwd(), given)
if (!existsSync(folder)) leave(`${folder} does not exist.`)
const catalogue = checked(folder)
if (verb === 'load') await load(catalogue)
else console.log(`${folder}: ${catalogue.products.length} products, ${catalogue.units.length} business units, no fault`)

function checked(place: string): Catalogue {
  const { catalogue: read, faults } = openCatalogue(place)
  return read ?? leave(told(faults, place))
}

function told(faults: Fault[], place: string): string {
  const lines = faults.map(({ file, path, fault }) => `${file}${path ? `: ${path}` : ''}: ${fault}`)
  return [...lines, `${faults.length === 1 ? '1 fault' : `${faults.length} faults`} in ${place}`].join('\n')
}

async function load(loaded: Catalogue): Promise<void> {
  const database = await openDatabase(settings(process.env)).catch((error: Error) => leave(error.message))
  await migrate(database)
  const { changes, faults } = await database.atLeisure(tx => loadCatalogue(tx, loaded, systemClock.now()))
  await database.close()
  if (faults.length > 0) leave(told(faults, folder))
  console.log(changes.length > 0 ? changes.join('\n') : 'Nothing has changed: this version is loaded already.')
}
