import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { leave, commandSettings } from '#server/command.ts'
import { prepare } from '#server/database/prepare.ts'
import { systemClock } from '#server/kit/clock.ts'
import { openDatabase } from '#server/kit/database.ts'
import { type Imported, readFolder } from './import-files.ts'
import { type Change, savePlaces, statesWithCities } from './queries.ts'

const [command, path] = process.argv.slice(2)
if (command !== 'import' || !path) leave('Usage: npm run geography -- import FOLDER')
const folder = resolve(process.cwd(), path)
if (!existsSync(folder) || !statSync(folder).isDirectory()) leave(`${folder} is no folder`)

const database = await openDatabase(commandSettings(process.env))
await prepare(database, { demo: false })

const knownStates = (countryId: number) => statesWithCities(database, countryId)
const imported = await readFolder(folder, knownStates, (file, lines) => show(`reading ${file}: ${lines} lines`))
refuseBadLines(imported)
const changes = await database.atLeisure(tx =>
  savePlaces(tx, imported.places, folder, systemClock.now(), (done, all) => show(`writing: ${bar(done, all)} ${done} of ${all} countries`)),
)
await database.close()
show('')
for (const change of changes) console.log(describe(change))
console.log(
  changes.length > 0
    ? `${changes.length} countries changed, from ${imported.files.length} files`
    : `Nothing has changed: ${imported.files.length} files say what is known already`,
)

function refuseBadLines({ badLines, files }: Imported): void {
  if (files.length === 0) leave(`${folder} holds none of: states.tsv, cities-XX.tsv (or .tsv.gz), XX.txt of GeoNames`)
  for (const { file, line, problem } of badLines.slice(0, 20)) console.error(`${file}, line ${line}: ${problem}`)
  if (badLines.length > 0) leave(`${badLines.length} bad lines: nothing was imported`)
}

function describe({ countryId, states, cities }: Change): string {
  const counts = ({ added, changed, removed }: Change['states']) => `${added} added, ${changed} changed, ${removed} removed`
  return `country ${countryId}: states ${counts(states)}; cities ${counts(cities)}`
}

function bar(done: number, all: number): string {
  const filled = Math.round((20 * done) / Math.max(1, all))
  return `[${'='.repeat(filled)}${' '.repeat(20 - filled)}]`
}

function show(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}
