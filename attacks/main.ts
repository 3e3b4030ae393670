import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { table } from '#fault-tests/harness/table.ts'
import { playElsewhere } from './elsewhere.ts'
import { openField } from './field.ts'
import { fuzz } from './fuzz.ts'
import { openOracle } from './oracle.ts'
import { type Outcome, play } from './play.ts'
import { startTarget } from './target.ts'

// `npm run attacks [-- --only A02,F74 --quick --seed 7 --requests 20000 --out FILE]`: ends with 1 when anything fell.

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '20000' },
    out: { type: 'string' },
  },
})
const only = values.only?.split(',')
const target = await startTarget()
const field = await openField(target, values.quick ? 20 : 1000)
const oracle = await openOracle(field)

const outcomes = await play(
  field,
  oracle,
  ({ id, quick }) => (only ? only.includes(id) : !values.quick || quick === true),
  ({ id, verdict, title, ms }) => process.stderr.write(`${id} ${verdict} (${Math.round(ms)} ms) ${title}\n`),
)
if (!only || only.includes('fuzz')) outcomes.push(await fuzzAll())
await target.stop()
if (!only && !values.quick) outcomes.push(...(await playElsewhere()))

const rows = outcomes.map(({ id, title, verdict, answers, ms }) => [id, title, String(answers), (ms / 1000).toFixed(1), verdict])
const faults = outcomes.filter(({ verdict }) => verdict === 'fell').flatMap(({ id, faults }) => faults.map(fault => `${id}: ${fault}`))
const counts = (['held', 'fell'] as const).map(name => `${outcomes.filter(({ verdict }) => verdict === name).length} ${name}`)
const report = [table(['case', 'attack', 'answers', 'seconds', 'verdict'], rows), '', ...faults, counts.join(', ')].join('\n')
console.log(report)
if (values.out) writeFileSync(values.out, `${report}\n`)
process.exit(faults.length > 0 ? 1 : 0)

async function fuzzAll(): Promise<Outcome> {
  await oracle.before()
  const began = performance.now()
  const fuzzed = await fuzz(field, Number(values.seed), Number(values.quick ? 1500 : values.requests))
  const after = await oracle.faults({ id: 'fuzz', title: '', run: () => Promise.resolve() })
  const found = [...fuzzed.faults, ...after]
  const by = Object.entries(fuzzed.byStatus).map(([status, count]) => `${status}: ${count}`)
  const title = `${fuzzed.calls} calls of the OpenAPI document, seed ${fuzzed.seed}; ${by.join(', ')}; slowest ${fuzzed.slowestMs} ms`
  return {
    id: 'fuzz',
    title,
    verdict: found.length > 0 ? 'fell' : 'held',
    faults: found,
    answers: fuzzed.requests,
    ms: performance.now() - began,
  }
}
