import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The number of undesired occurrences, by group of files and by kind. A missing number is 0. */
export type Counts = Record<string, Record<string, number>>
export type RecordName = 'plain-words' | 'casts' | 'unused-exports'

const pathOf = (name: RecordName): string => join(import.meta.dirname, `${name}.json`)

/** Returns the recorded numbers; none if the file was deleted, so that `--lower` records them anew. */
export const readRecord = (name: RecordName): Counts =>
  // Safe: only lowerRecord writes these files.
  existsSync(pathOf(name)) ? (JSON.parse(readFileSync(pathOf(name), 'utf8')) as Counts) : {}

export function compare(recorded: Counts, counted: Counts): { risen: string[]; fallen: string[] } {
  const result: { risen: string[]; fallen: string[] } = { risen: [], fallen: [] }
  for (const [group, kind] of pairsOf({ ...recorded, ...counted }, recorded, counted)) {
    const [before, now] = [recorded[group]?.[kind] ?? 0, counted[group]?.[kind] ?? 0]
    if (now !== before) result[now > before ? 'risen' : 'fallen'].push(`${group}: ${kind} ${before} -> ${now}`)
  }
  return result
}

function pairsOf(groups: Counts, ...all: Counts[]): [group: string, kind: string][] {
  return Object.keys(groups).flatMap(group =>
    [...new Set(all.flatMap(counts => Object.keys(counts[group] ?? {})))].map((kind): [string, string] => [group, kind]),
  )
}

/** Writes the lower of both numbers everywhere, or all counted numbers if there is no record. */
export function lowerRecord(name: RecordName, recorded: Counts, counted: Counts): void {
  const isNew = Object.keys(recorded).length === 0
  const lowered: Counts = {}
  for (const [group, kind] of pairsOf({ ...recorded, ...counted }, recorded, counted)) {
    const now = counted[group]?.[kind] ?? 0
    const number = isNew ? now : Math.min(now, recorded[group]?.[kind] ?? 0)
    if (number > 0) (lowered[group] ??= {})[kind] = number
  }
  writeFileSync(pathOf(name), `${JSON.stringify(lowered, undefined, 2)}\n`)
}

export function totals(counts: Counts): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const kinds of Object.values(counts)) for (const [kind, number] of Object.entries(kinds)) sums[kind] = (sums[kind] ?? 0) + number
  return sums
}

export function add(counts: Counts, group: string, kind: string, number = 1): void {
  if (number === 0) return
  const kinds = (counts[group] ??= {})
  kinds[kind] = (kinds[kind] ?? 0) + number
}
