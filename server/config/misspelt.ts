import { type ConfigProblem, formerNames } from '#server/config.ts'
import { secretFileNames } from './secret-files.ts'

/** A `refused` name prevents a start; a `warned` one is only printed. */
export type Misspelt = { refused: ConfigProblem[]; warned: ConfigProblem[] }

/** True for names that other programs use, one letter away from a setting: DATABASE_URI, DATA_DIRS. */
const isWord = (name: string): boolean => /(?:URI|S)$/i.test(name)

/**
 * Finds names that are not settings, each with the most similar setting. Everything in `.env` is meant for the service. The environment is shared:
 * there, only a name one edit away from a long setting prevents a start. A name that merely resembles one may be another program's, and is printed.
 */
export function misspelt(settings: readonly string[], inFile: readonly string[], inEnvironment: readonly string[]): Misspelt {
  const known = [...settings, ...secretFileNames]
  const isUnknown = (name: string) => !known.includes(name) && !formerNames.has(name)
  const refused = inFile.filter(isUnknown).map(name => ({ name, problem: `in .env is no setting${suggestion(name, known)}` }))
  const warned: ConfigProblem[] = [...formerNames]
    .filter(([former]) => inFile.includes(former) || inEnvironment.includes(former))
    .map(([former, current]) => ({ name: former, problem: `is now called ${current}; the old name ends with the next release` }))
  for (const name of inEnvironment.filter(each => isUnknown(each) && !inFile.includes(each))) {
    const near = isWord(name) ? undefined : known.find(each => each.length >= 8 && editDistance(name, each, 1) <= 1)
    const alike = known.find(
      each => each.length >= 8 && (editDistance(name, each, 2) <= (each.length >= 10 ? 2 : 1) || name.startsWith(each)),
    )
    if (near) refused.push({ name, problem: `is no setting: did you mean ${near}?` })
    else if (alike) warned.push({ name, problem: `is no setting: did you mean ${alike}?` })
  }
  return { refused, warned }
}

function suggestion(name: string, known: readonly string[]): string {
  const [best] = known
    .map(each => ({ each, distance: name.startsWith(each) || each.startsWith(name) ? 1 : editDistance(name, each) }))
    .toSorted((one, other) => one.distance - other.distance)
  return best && best.distance <= Math.max(2, name.length / 3) ? `: did you mean ${best.each}?` : ': .env.example lists all'
}

/** Counts letters that are missing, extra, wrong or swapped with the next, ignoring case. It is the Damerau-Levenshtein distance, or infinite if above `most`. */
function editDistance(one: string, other: string, most = Number.POSITIVE_INFINITY): number {
  // At a start, most names are far too long or too short to be a misspelt setting.
  if (Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY
  const [a, b] = [one.toUpperCase(), other.toUpperCase()]
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1])
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : changed
      rows[i]?.push(Math.min(changed, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1))
    }
  }
  return at(a.length, b.length)
}
