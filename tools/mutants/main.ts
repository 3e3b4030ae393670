import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fail } from '../steps.mjs'
import { numberFrom } from '../suite/seeds.ts'
import { breaks } from './breaks.ts'
import { changedSince, choose } from './choose.ts'
import { play } from './play.ts'
import { copyTree } from './tree.ts'

// Plays all recorded breaks, those of the named rows, or a share, plus those of changed files. `npm run mutants [-- S4.2 S5 … --share 0.1
// --changed-since main --seed 4711]`. The share is the same in every run; `--seed random` draws another.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' }, 'changed-since': { type: 'string' } },
})
const named = breaks.filter(({ row }) => positionals.length === 0 || positionals.some(name => row === name || row.startsWith(`${name}.`)))
const ref = values['changed-since']
const changed = ref === undefined ? [] : changedSince(ref)
if (!changed) console.log(`This clone cannot tell what has changed since ${ref}, so only the share is played.`)
const seed = numberFrom(values.seed) ?? fail('--seed takes a whole number, or `random`.')
const chosen = choose(named, Number(values.share), Number(seed), changed)

const folder = mkdtempSync(join(tmpdir(), 'portolan-mutants-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
copyTree(folder)

console.log(`${chosen.length} of ${breaks.length} breaks, --seed ${seed}`)
let unnoticed = 0
for (const [index, each] of chosen.entries()) {
  const { red, seconds, why } = await play(each, folder)
  const name = `${each.row} ${each.file} (${seconds} s)`
  console.log(red.length > 0 ? `${index + 1} red ${name}: ${red[0]}` : `FAIL ${name} stayed green: ${why}`)
  if (red.length === 0) unnoticed += 1
}
console.log(`${chosen.length - unnoticed} passed, ${unnoticed} failed`)
process.exit(unnoticed > 0 ? 1 : 0)
