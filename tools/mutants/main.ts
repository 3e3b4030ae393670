import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openRandom } from '#common/kit/random.ts'
import type { Break } from './break.ts'
import { breaks } from './breaks.ts'
import { play } from './play.ts'
import { copyTree } from './tree.ts'

// Plays all recorded breaks, those of the named rows, or a random share.
// `npm run mutants [-- S4.2 S5 … --share 0.1 --seed 4711]`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: 'string', default: '1' }, seed: { type: 'string', default: String(Date.now() % 100_000) } },
})
const named = breaks.filter(({ row }) => positionals.length === 0 || positionals.some(name => row === name || row.startsWith(`${name}.`)))
const chosen = shareOf(named)

const folder = mkdtempSync(join(tmpdir(), 'portolan-mutants-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
copyTree(folder)

console.log(`${chosen.length} of ${breaks.length} breaks, seed ${values.seed}`)
let unnoticed = 0
for (const each of chosen) {
  const { red, seconds, why } = await play(each, folder)
  const name = `${each.row} ${each.file} (${seconds} s)`
  console.log(red.length > 0 ? `red ${name}: ${red[0]}` : `FAIL ${name} stayed green: ${why}`)
  if (red.length === 0) unnoticed += 1
}
console.log(`${chosen.length - unnoticed} passed, ${unnoticed} failed`)
process.exit(unnoticed > 0 ? 1 : 0)

/** Returns as many as the share says, chosen by the seed; at least one. */
function shareOf(all: Break[]): Break[] {
  const count = Math.max(1, Math.round(all.length * Number(values.share)))
  return openRandom(Number(values.seed)).shuffled(all).slice(0, count)
}
