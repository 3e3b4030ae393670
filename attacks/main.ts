import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { namesOf } from '#testing/only.ts'
import { table } from '#testing/table.ts'
import { cases } from './cases.ts'
import { runElsewhere } from './elsewhere.ts'
import { openScenario } from './scenario.ts'
import { fuzz } from './fuzz.ts'
import { openOracle } from './oracle.ts'
import { type Outcome, runCases } from './run-cases.ts'
import { startTarget } from './target.ts'

// Exits with 1 if a case failed.
// `npm run attacks [-- --only A02,F74 --quick --seed 7 --requests 20000 --out FILE]`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '20000' },
    out: { type: 'string' },
  },
})
const only = namesOf(values.only, [...cases.map(({ id }) => id), 'fuzz'])
const target = await startTarget()
const scenario = await openScenario(target, values.quick ? 20 : 1000)
const oracle = await openOracle(scenario)

const outcomes = await runCases(
  scenario,
  oracle,
  ({ id, quick }) => (only ? only.includes(id) : !values.quick || quick === true),
  ({ id, verdict, title, ms }) => process.stderr.write(`${id} ${verdict} (${Math.round(ms)} ms) ${title}\n`),
)
if (!only || only.includes('fuzz')) outcomes.push(await fuzzAll())
await target.stop()
if (!only && !values.quick) outcomes.push(...(await runElsewhere()))

const rows = outcomes.map(({ id, title, verdict, responses, ms }) => [id, title, String(responses), (ms / 1000).toFixed(1), verdict])
const problems = outcomes
  .filter(({ verdict }) => verdict === 'failed')
  .flatMap(({ id, problems }) => problems.map(problem => `${id}: ${problem}`))
const counts = (['passed', 'failed'] as const).map(name => `${outcomes.filter(({ verdict }) => verdict === name).length} ${name}`)
const report = [table(['case', 'attack', 'responses', 'seconds', 'verdict'], rows), '', ...problems, counts.join(', ')].join('\n')
console.log(report)
if (values.out) writeFileSync(values.out, `${report}\n`)
process.exit(problems.length > 0 ? 1 : 0)

async function fuzzAll(): Promise<Outcome> {
  await oracle.before()
  const began = performance.now()
  const fuzzed = await fuzz(scenario, Number(values.seed), Number(values.quick ? 1500 : values.requests))
  const after = await oracle.findProblems({ id: 'fuzz', title: '', run: () => Promise.resolve() })
  const found = [...fuzzed.problems, ...after]
  const by = Object.entries(fuzzed.byStatus).map(([status, count]) => `${status}: ${count}`)
  const title = `${fuzzed.calls} calls of the OpenAPI document, seed ${fuzzed.seed}; ${by.join(', ')}; slowest ${fuzzed.slowestMs} ms`
  return {
    id: 'fuzz',
    title,
    verdict: found.length > 0 ? 'failed' : 'passed',
    problems: found,
    responses: fuzzed.requests,
    ms: performance.now() - began,
  }
}
