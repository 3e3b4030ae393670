import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { countCasts } from './casts.ts'
import { countPlainWords } from './plain-words.ts'
import { compare, type Counts, lowerRecord, readRecord, type RecordName, totals } from './record.ts'

// `npm run counts`: prints what is counted. `npm run counts -- --lower`: lowers the records to what is left.

const counters: Partial<Record<RecordName, () => Counts>> = { 'plain-words': countPlainWords, casts: countCasts }

for (const name of ['plain-words', 'casts'] as const) {
  const counted = counters[name]?.() ?? {}
  const recorded = existsSync(join(import.meta.dirname, `${name}.json`)) ? readRecord(name) : {}
  if (process.argv.includes('--lower')) lowerRecord(name, recorded, counted)
  const { risen, fallen } = compare(recorded, counted)
  console.log(name, totals(counted), risen.length > 0 ? { risen } : '', fallen.length > 0 ? { fallen } : '')
}
