import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { namesOf } from '#testing/only.ts'
import { table } from '#testing/table.ts'
import { type Postgres, postgresPrograms } from '#testing/postgres.ts'
import type { Figure } from './compare.ts'
import { openSetup, startDatabase } from './setup.ts'
import { benchEmbeddedLists, benchLists } from './lists.ts'
import { benchAccounts } from './accounts.ts'
import { benchBook } from './book.ts'
import { benchMemory } from './memory.ts'
import { benchMigrations } from './migrations.ts'
import { playNovemberAt } from './november.ts'
import { benchChanges, benchPreviews } from './changes.ts'
import { benchCounter } from './counter.ts'
import { benchDemoMemory } from './demo-memory.ts'
import { benchDocuments } from './documents.ts'
import { benchPortal } from './portal.ts'
import { benchRetention } from './retention.ts'
import { benchQuotes } from './quotes.ts'
import { benchSealing } from './sealing.ts'
import { benchBurst } from './sale/burst.ts'
import { benchSales } from './sale/sales.ts'
import { benchVariants } from './sale/variants.ts'
import { benchStart } from './start.ts'

// `npm run bench [-- --only sales,burst --policies 10000,1000000 --others 9000000 --before COMMIT --other CHECKOUT --keep FOLDER --sales 100000
// --peer http://127.0.0.1:3900 --rounds 5 --seconds 3 --callers 1,8,32 --out FILE.json]`. `npm run bench -- --november http://127.0.0.1:3000` plays
// the November example on a new demo instead.

const benches = [
  'sales',
  'burst',
  'variants',
  'quotes',
  'book',
  'changes',
  'lists',
  'accounts',
  'retention',
  'sealing',
  'migrations',
  'embedded-lists',
  'start',
  'documents',
  'memory',
  'demo-memory',
  'portal',
  'counter',
] as const

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    callers: { type: 'string', default: '1,8,32' },
    policies: { type: 'string', default: '10000,100000' },
    others: { type: 'string', default: '0' },
    keep: { type: 'string' },
    before: { type: 'string' },
    sales: { type: 'string', default: '2000' },
    out: { type: 'string' },
    peer: { type: 'string' },
    other: { type: 'string' },
    november: { type: 'string' },
  },
})
if (values.november) {
  await playNovemberAt(values.november)
  process.exit(0)
}
const only = namesOf(values.only, benches)
const effort = { rounds: Number(values.rounds), seconds: Number(values.seconds), callers: values.callers.split(',').map(Number) }
const largest = Number(values.policies.split(',').at(-1))
const figures: Figure[] = []

for (const database of postgresPrograms() ? ['postgres', 'embedded'] : ['embedded']) {
  if (isSelected('sales')) await onDatabase(database, async postgres => addFigures(await benchSales(postgres, values.peer, effort)))
  if (isSelected('burst'))
    await onDatabase(database, async postgres => addFigures(await benchBurst(postgres, Number(values.sales), effort)))
  if (isSelected('variants'))
    await onDatabase(database, async postgres => postgres && addFigures(await benchVariants(postgres, values.other, effort)))
  if ((['quotes', 'book', 'changes'] as const).some(isSelected)) await onDatabase(database, benchCalls)
}
if (isSelected('lists') && postgresPrograms())
  addFigures(await benchLists(values.policies.split(',').map(Number), { others: Number(values.others), kept: values.keep }, effort))
if (isSelected('accounts') && postgresPrograms()) addFigures(await benchAccounts(largest, values.keep))
if (isSelected('retention') && postgresPrograms()) addFigures(await benchRetention(largest, values.keep))
if (isSelected('sealing') && postgresPrograms()) addFigures(await benchSealing(largest, effort))
if (isSelected('migrations') && values.before && postgresPrograms()) addFigures(await benchMigrations(largest, values.before))
if (isSelected('embedded-lists')) addFigures(await benchEmbeddedLists([10_000, 100_000], effort))
if (isSelected('start')) addFigures(await benchStart(effort.rounds))
if (isSelected('documents')) addFigures(await benchDocuments(effort))
if (isSelected('portal')) addFigures(await benchPortal(effort.rounds))
if (isSelected('counter')) addFigures(await benchCounter(effort.rounds))
if (isSelected('demo-memory')) addFigures(await benchDemoMemory())
if (isSelected('memory')) addFigures(await benchMemory(Number(values.sales)))
report()
process.exit(0)

async function onDatabase(database: string, bench: (postgres: Postgres | undefined) => Promise<unknown>): Promise<void> {
  const postgres = database === 'postgres' ? await startDatabase() : undefined
  await bench(postgres)
  await postgres?.remove()
}

async function benchCalls(postgres: Postgres | undefined): Promise<void> {
  const setup = await openSetup(postgres)
  if (isSelected('quotes')) addFigures(await benchQuotes(setup, effort))
  if (isSelected('book') && postgres) addFigures(await benchBook(setup, effort))
  if (isSelected('changes')) addFigures(await benchChanges(setup, effort))
  if (isSelected('changes') && !postgres) addFigures(await benchPreviews(setup, effort.rounds))
  await setup.stop()
}

function isSelected(name: (typeof benches)[number]): boolean {
  return !only || only.includes(name)
}

function addFigures(found: Figure[]): void {
  figures.push(...found)
  for (const { work, ours, ratio } of found) process.stderr.write(`${work}: ${format(ours)} (${format(ratio.median)})\n`)
}

function report(): void {
  const rows = figures.map(({ work, against, unit, ours, baseline, ratio, target, met }) => [
    work,
    `${format(ours)}${unit}`,
    Number.isNaN(baseline) ? '–' : `${format(baseline)}${unit}`,
    format(ratio.median),
    Number.isNaN(ratio.least) ? '–' : `${format(ratio.least)}–${format(ratio.most)}`,
    target,
    met ? 'yes' : 'no',
    against,
  ])
  console.log(table(['work', 'ours', 'baseline', 'ratio', 'spread', 'target', 'met', 'against'], rows))
  console.log(
    `\n${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} at the end; ${effort.rounds} rounds of ${effort.seconds} s, each next to its baseline.`,
  )
  if (values.out) writeFileSync(values.out, `${JSON.stringify({ cores: cpus().length, load: loadavg()[0], effort, figures }, null, 2)}\n`)
}

function format(value: number): string {
  if (Number.isNaN(value)) return '–'
  return value >= 100 ? String(Math.round(value)) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
