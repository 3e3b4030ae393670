import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { table } from '#fault-tests/harness/table.ts'
import { postgresPrograms } from '#fault-tests/harness/postgres.ts'
import type { Figure } from './compare.ts'
import { openGround, startDatabase } from './setup.ts'
import { benchEmbeddedLists, benchLists } from './lists.ts'
import { benchMemory } from './memory.ts'
import { benchPapers } from './documents.ts'
import { benchPortal } from './portal.ts'
import { benchQuotes } from './quotes.ts'
import { benchSales, recordSale } from './sales.ts'
import { benchStart } from './start.ts'

// `npm run bench [-- --only quotes,sales,lists,embedded-lists,start,papers,memory,portal --policies 10000,1000000 --others 9000000 --keep FOLDER --sales 100000 --rounds 5 --seconds 3 --callers 1,8,32 --out FILE.json]`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    callers: { type: 'string', default: '1,8,32' },
    policies: { type: 'string', default: '10000,100000' },
    others: { type: 'string', default: '0' },
    keep: { type: 'string' },
    sales: { type: 'string', default: '2000' },
    out: { type: 'string' },
  },
})
const only = values.only?.split(',')
const effort = { rounds: Number(values.rounds), seconds: Number(values.seconds), callers: values.callers.split(',').map(Number) }
const figures: Figure[] = []

for (const place of postgresPrograms() ? ['postgres', 'embedded'] : ['embedded']) {
  if (!wanted('quotes') && !wanted('sales')) continue
  const postgres = place === 'postgres' ? await startDatabase() : undefined
  const script = postgres && wanted('sales') ? await recordSale(postgres) : undefined
  const ground = await openGround(postgres)
  if (wanted('quotes')) keep(await benchQuotes(ground, effort))
  if (wanted('sales')) keep(await benchSales(ground, script, effort))
  await ground.stop()
  await postgres?.remove()
}
if (wanted('lists') && postgresPrograms())
  keep(await benchLists(values.policies.split(',').map(Number), { others: Number(values.others), kept: values.keep }, effort))
if (wanted('embedded-lists')) keep(await benchEmbeddedLists([10_000, 100_000], effort))
if (wanted('start')) keep(await benchStart(effort.rounds))
if (wanted('papers')) keep(await benchPapers(effort))
if (wanted('portal')) keep(await benchPortal(effort.rounds))
if (wanted('memory')) keep(await benchMemory(Number(values.sales)))
report()
process.exit(0)

function wanted(name: string): boolean {
  return !only || only.includes(name)
}

function keep(found: Figure[]): void {
  figures.push(...found)
  for (const { work, ours, ratio } of found) process.stderr.write(`${work}: ${short(ours)} (${short(ratio.median)})\n`)
}

function report(): void {
  const rows = figures.map(({ work, against, unit, ours, theirs, ratio, reach, reached }) => [
    work,
    `${short(ours)}${unit}`,
    Number.isNaN(theirs) ? '–' : `${short(theirs)}${unit}`,
    short(ratio.median),
    Number.isNaN(ratio.least) ? '–' : `${short(ratio.least)}–${short(ratio.most)}`,
    reach,
    reached ? 'yes' : 'no',
    against,
  ])
  console.log(table(['work', 'ours', 'theirs', 'ratio', 'spread', 'reach', 'reached', 'against'], rows))
  console.log(
    `\n${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} at the end; ${effort.rounds} rounds of ${effort.seconds} s, each beside its measure.`,
  )
  if (values.out) writeFileSync(values.out, `${JSON.stringify({ cores: cpus().length, load: loadavg()[0], effort, figures }, null, 2)}\n`)
}

function short(value: number): string {
  if (Number.isNaN(value)) return '–'
  return value >= 100 ? String(Math.round(value)) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
