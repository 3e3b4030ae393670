import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A row of docs/spec-coverage.md: its id, and each file, or `file › name` for an attack or a vector. */
type Row = { id: string; holders: string[] }

const page = join(import.meta.dirname, '../../docs/spec-coverage.md')

export const specRows = (): Row[] => readFileSync(page, 'utf8').split('\n').flatMap(rowIn)

function rowIn(line: string): Row[] {
  const [, id, sentence, cell] = /^\| (S\d\.\d+) +\| (.*) \| ([^|]*) \|$/.exec(line) ?? []
  return id && sentence && cell ? [{ id, holders: [...cell.matchAll(/`([^`]+)`/g)].map(([, holder = '']) => holder) }] : []
}
