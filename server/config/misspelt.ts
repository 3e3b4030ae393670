import type { ConfigFault } from '#server/config.ts'
import { formerNames } from './former-names.ts'
import { secretFileNames } from './secret-files.ts'

/** `refused` ends a start; `warned` is said and no more. */
export type Misspelt = { refused: ConfigFault[]; warned: ConfigFault[] }

/** Words of their own, one letter away from a setting's: DATABASE_URI, DATA_DIRS. */
const isWord = (name: string): boolean => /(?:URI|S)$/i.test(name)

/**
 * Names that are not settings, each with the likeliest right one. Everything in `.env` is meant for the service. The environment is shared: there only
 * a name one slip away from a long setting's ends a start; one that merely resembles a setting may be another program's own, and is said.
 */
export function misspelt(settings: readonly string[], inFile: readonly string[], around: readonly string[]): Misspelt {
  const known = [...settings, ...secretFileNames]
  const isUnknown = (name: string) => !known.includes(name) && !formerNames.has(name)
  const refused = inFile.filter(isUnknown).map(name => ({ name, fault: `in .env is no setting${suggestion(name, known)}` }))
  const warned: ConfigFault[] = [...formerNames]
    .filter(([former]) => inFile.includes(former) || around.includes(former))
    .map(([former, current]) => ({ name: former, fault: `is now called ${current}; the old name ends with the next release` }))
  for (const name of around.filter(each => isUnknown(each) && !inFile.includes(each))) {
    const near = isWord(name) ? undefined : known.find(each => each.length >= 8 && slips(name, each) <= 1)
    const alike = known.find(each => each.length >= 8 && (slips(name, each) <= (each.length >= 10 ? 2 : 1) || name.startsWith(each)))
    if (near) refused.push({ name, fault: `is no setting: did you mean ${near}?` })
    else if (alike) warned.push({ name, fault: `is no setting: did you mean ${alike}?` })
  }
  return { refused, warned }
}

function suggestion(name: string, known: readonly string[]): string {
  const [best] = known
    .map(each => ({ each, away: name.startsWith(each) || each.startsWith(name) ? 1 : slips(name, each) }))
    .toSorted((one, other) => one.away - other.away)
  return best && best.away <= Math.max(2, name.length / 3) ? `: did you mean ${best.each}?` : ': .env.example lists all'
}

/** How many letters are missing, too many, wrong, or changed places with the next, whatever the case (Damerau and Levenshtein). */
function slips(one: string, other: string): number {
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
