import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Drill, Need, Result } from './drill.ts'
import { drills } from './drills.ts'
import { postgresPrograms } from './rig/postgres.ts'
import { prometheusProgram } from './rig/prometheus.ts'
import { table } from './rig/table.ts'

// `npm run drills [-- --only kill-service,disk-full --share 0.1 --seed 4711 --out FILE]`: ends with 1 when anything broke.

const { values } = parseArgs({
  options: { only: { type: 'string' }, share: { type: 'string', default: '1' }, seed: { type: 'string' }, out: { type: 'string' } },
})
const only = values.only?.split(',')
// A seed that was named is played alone.
const rounds = (usual: number) => (values.seed ? 1 : Math.max(1, Math.round(usual * Number(values.share))))
const chosen = drills.filter(({ id }) => !only || only.includes(id))
const rows: string[][] = []
const broken: string[] = []

for (const drill of chosen) {
  const began = performance.now()
  const { verdict, counts, faults } = await outcomeOf(drill)
  const said = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  process.stderr.write(`${drill.id}: ${verdict} (${seconds} s) ${said.join(', ')}\n${faults.map(fault => `  ${fault}\n`).join('')}`)
  rows.push([drill.id, drill.title, said.join(', '), seconds, verdict])
  broken.push(...faults.map(fault => `${drill.id}: ${fault}`))
}

const invariants = chosen.map(({ id, invariant }) => `${id}: ${invariant}`)
const report = [
  table(['drill', 'what happens', 'counts', 'seconds', 'verdict'], rows),
  '',
  'What must hold',
  ...invariants,
  '',
  ...broken,
].join('\n')
console.log(report)
if (values.out) writeFileSync(values.out, `${report}\n`)
process.exit(broken.length > 0 ? 1 : 0)

async function outcomeOf(drill: Drill): Promise<Result & { verdict: string }> {
  const lacking = drill.needs && !isHere(drill.needs)
  if (lacking) return { verdict: `needs ${drill.needs}`, counts: {}, faults: [] }
  const result = await drill
    .run(rounds, Number(values.seed ?? 1))
    .catch((error: unknown): Result => ({ counts: {}, faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }))
  return { ...result, faults: result.faults.slice(0, 5), verdict: result.faults.length > 0 ? 'broke' : 'held' }
}

function isHere(need: Need): boolean {
  if (postgresPrograms() === undefined) return false
  if (need === 'root') return process.getuid?.() === 0
  return need === 'PostgreSQL' || prometheusProgram() !== undefined
}
