import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A row of docs/spec-coverage.md: its id, and each file, or `file › name` for an attack or a vector. */
type Row = { id: string; holders: string[] }

const page = join(import.meta.dirname, '../../docs/spec-coverage.md')

export const specRows = (): Row[] => readFileSync(page, 'utf8').split('\n').flatMap(rowIn)

const all = specRows()

/** Returns the rows that name an attack or a rule of the vectors. */
export const rowsNaming = (part: string): string[] =>
  all.flatMap(({ id, holders }) => (holders.some(holder => holder.endsWith(` › ${part}`)) ? [id] : []))

/** Returns the test file that a row names. Attacks and vectors are data played by one test file. */
export function testFileOf(holder: string): string {
  const [file = '', part] = holder.split(' › ')
  if (part === undefined) return file
  return file.startsWith('attacks/') ? 'attacks/attacks.whole.test.ts' : 'tools/vectors.test.ts'
}

function rowIn(line: string): Row[] {
  const [, id, sentence, cell] = /^\| (S\d\.\d+) +\| (.*) \| ([^|]*) \|$/.exec(line) ?? []
  return id && sentence && cell ? [{ id, holders: [...cell.matchAll(/`([^`]+)`/g)].map(([, holder = '']) => holder) }] : []
}
