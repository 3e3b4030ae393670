import { countCasts } from './casts.ts'
import { countPlainWords } from './plain-words.ts'
import { countReach } from './reach.ts'
import { compare, lowerRecord, readRecord, totals } from './record.ts'
import { findUnused } from './unused-exports.ts'

// `npm run counts` prints the counts. `npm run counts -- --lower` lowers the records to the present counts.

const unused = await findUnused()
for (const [name, counted] of [
  ['plain-words', countPlainWords()],
  ['casts', countCasts()],
  ['unused-exports', unused.counts],
] as const) {
  const recorded = readRecord(name)
  if (process.argv.includes('--lower')) lowerRecord(name, recorded, counted)
  const { risen, fallen } = compare(recorded, counted)
  console.log(name, totals(counted), ...(risen.length > 0 ? ['risen:', risen] : []), ...(fallen.length > 0 ? ['fallen:', fallen] : []))
}
if (unused.names.length > 0) console.log(`Unused:\n${unused.names.join('\n')}`)
console.log('reach', countReach())
