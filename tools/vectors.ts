import { readFileSync } from 'node:fs'
import { mismatchOf } from './check-vector.ts'

/** `npm run -s vectors -- FILE` prints every mismatch and a summary. Exits with 1 on a mismatch, 2 if unreadable. */
const [file] = process.argv.slice(2)
const vectors = file ? read(file) : stop('Name a file of vectors: npm run -s vectors -- FILE')

let failed = 0
for (const [index, vector] of vectors.entries()) {
  const mismatch = mismatchOf(vector)
  if (mismatch === undefined) continue
  failed++
  console.log(`#${index + 1} ${mismatch}: ${shortened(vector)}`)
}
console.log(`${vectors.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function read(path: string): unknown[] {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
    return Array.isArray(content) ? content : stop(`${path} cannot be used: a list of vectors is expected.`)
  } catch (error) {
    return stop(`${path} cannot be read: ${error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error)}`)
  }
}

function stop(reason: string): never {
  console.error(reason)
  process.exit(2)
}

function shortened(vector: unknown): string {
  const text = JSON.stringify(vector) ?? ''
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
