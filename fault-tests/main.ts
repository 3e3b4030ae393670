import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { drawFrom, type FaultTest, type Need, type Result } from './fault-test.ts'
import { faultTests } from './fault-tests.ts'
import { citusCheckout } from './harness/citus.ts'
import { postgresPrograms } from '#testing/postgres.ts'
import { prometheusProgram } from './harness/prometheus.ts'
import { namesOf } from '#testing/only.ts'
import { table } from '#testing/table.ts'

// `npm run fault-tests [-- --only kill-service,disk-full --share 0.1 --seed 4711 --out FILE]` exits with 1 if an invariant is broken, or if a named
// test cannot run here.

const { values } = parseArgs({
  options: { only: { type: 'string' }, share: { type: 'string', default: '1' }, seed: { type: 'string' }, out: { type: 'string' } },
})
const only = namesOf(
  values.only,
  faultTests.map(({ id }) => id),
)
// A given seed is played alone.
const rounds = (full: number) => (values.seed ? 1 : Math.max(1, Math.round(full * Number(values.share))))
const chosen = faultTests.filter(({ id }) => !only || only.includes(id))
const rows: string[][] = []
const broken: string[] = []

for (const faultTest of chosen) {
  const began = performance.now()
  const { verdict, counts, problems } = await outcomeOf(faultTest)
  const summary = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  process.stderr.write(
    `${faultTest.id}: ${verdict} (${seconds} s) ${summary.join(', ')}\n${problems.map(problem => `  ${problem}\n`).join('')}`,
  )
  rows.push([faultTest.id, faultTest.title, summary.join(', '), seconds, verdict])
  broken.push(...problems.map(problem => `${faultTest.id}: ${problem}`))
}

const invariants = chosen.map(({ id, invariant }) => `${id}: ${invariant}`)
const report = [table(['fault test', 'fault', 'counts', 'seconds', 'verdict'], rows), '', 'Invariants', ...invariants, '', ...broken].join(
  '\n',
)
console.log(report)
if (values.out) writeFileSync(values.out, `${report}\n`)
process.exit(broken.length > 0 ? 1 : 0)

async function outcomeOf(faultTest: FaultTest): Promise<Result & { verdict: string }> {
  if (faultTest.needs && !isAvailable(faultTest.needs)) {
    const missing = `needs ${named(faultTest.needs)}`
    return { verdict: missing, counts: {}, problems: only ? [missing] : [] }
  }
  const seed = Number(values.seed ?? 1)
  drawFrom(seed)
  const result = await faultTest
    .run(rounds, seed)
    .catch(
      (error: unknown): Result => ({ counts: {}, problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }),
    )
  return { ...result, problems: result.problems.slice(0, 5), verdict: result.problems.length > 0 ? 'broke' : 'held' }
}

function named(need: Need): string {
  return need === 'Citus' ? 'CITUS_CHECKOUT=FOLDER, a checkout of citusdata/citus v13.2.2' : need
}

function isAvailable(need: Need): boolean {
  if (postgresPrograms() === undefined) return false
  if (need === 'Citus') return citusCheckout() !== undefined
  if (need === 'root') return process.getuid?.() === 0
  return need === 'PostgreSQL' || prometheusProgram() !== undefined
}
