import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { localeOfCountry } from '#common/kit/validators/contacts.ts'
import { leave, commandSettings, say } from '#server/command.ts'
import { isUpToDate, migrate } from '#server/database/migrate.ts'
import { systemClock } from '#server/kit/clock.ts'
import { type Database, openDatabase } from '#server/kit/database.ts'
import { openCatalogue } from './check.ts'
import type { Catalogue } from './files.ts'
import type { CatalogueProblem } from './shape.ts'
import { loadCatalogue, rehearse } from './load.ts'

const [command, path] = process.argv.slice(2)
if ((command !== 'check' && command !== 'load') || !path) leave('Usage: npm run catalogue -- check FOLDER | load FOLDER')
const folder = resolve(process.cwd(), path)
if (!existsSync(folder)) leave(`${folder} does not exist.`)
const catalogue = checked(folder)
if (command === 'load') await load(catalogue)
else {
  console.log(`${folder}: ${catalogue.products.length} products, ${catalogue.units.length} business units, no problem`)
  for (const line of [...unstated(catalogue), ...unknownFormats(catalogue)]) console.log(line)
  console.log(await compared(catalogue))
}

function checked(folder: string): Catalogue {
  const { catalogue: read, problems } = openCatalogue(folder)
  return read ?? leave(report(problems, folder))
}

function report(problems: CatalogueProblem[], folder: string): string {
  const lines = problems.map(({ file, path, problem }) => `${file}${path ? `: ${path}` : ''}: ${problem}`)
  return [...lines, `${problems.length === 1 ? '1 problem' : `${problems.length} problems`} in ${folder}`].join('\n')
}

/** Names the units in countries whose formats are not known: documents, phones and postal codes of their residents are taken as typed. */
function unknownFormats({ units }: Catalogue): string[] {
  const unknown = units.filter(({ country }) => !localeOfCountry(country))
  return unknown.map(
    ({ key, country }) => `${key}: the formats of country ${country} are not known; documents, phones and postal codes are taken as typed`,
  )
}

/** Names the facts about the insurer that the law asks documents to state, and the file does not. */
function unstated({ insurer }: Catalogue): string[] {
  const facts = ['country', 'seat', 'register', 'supervisor', 'authorisation'] as const
  return facts.filter(fact => insurer[fact] === undefined).map(fact => `insurer.json: ${fact} is not stated; documents leave it out`)
}

/** Describes what a load would change or refuse, or why the database could not be compared. */
async function compared(wanted: Catalogue): Promise<string> {
  const skipped = (why: string) => `Not compared with the database: ${why}`
  const config = commandSettings(process.env)
  if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres'))) return skipped(`there is none in ${config.DATA_DIR}.`)
  let database: Database | undefined
  try {
    database = await openDatabase(config)
    if (!(await isUpToDate(database))) return skipped('its schema is of another version.')
  } catch (error) {
    await database?.close()
    return skipped(error instanceof Error ? error.message : String(error))
  }
  const { changes, problems, remaining } = await rehearse(database, wanted, systemClock.now())
  await database.close()
  if (problems.length > 0) leave(report(problems, folder))
  const all = [...changes, ...remaining.map(each => `${each} is not in the folder and stays as it is`)]
  return all.length > 0 ? `A load would bring:\n${all.map(line => `  ${line}`).join('\n')}` : 'A load would change nothing.'
}

async function load(loaded: Catalogue): Promise<void> {
  const database = await openDatabase(commandSettings(process.env))
  await migrate(database, say)
  const { changes, problems } = await database.atLeisure(tx => loadCatalogue(tx, loaded, systemClock.now()))
  await database.close()
  if (problems.length > 0) leave(report(problems, folder))
  console.log(changes.length > 0 ? changes.join('\n') : 'Nothing has changed: this version is loaded already.')
}
