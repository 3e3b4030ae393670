import { lstatSync, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'

/** Whatever this process makes is its owner's alone: folders 0700, files 0600. */
export const closeToOthers = (): void => void process.umask(0o077)

/**
 * One line for the operator where others on this machine may look into the data folder, else undefined. It holds people's data, the key that seals and
 * the database. A system without such modes has nothing to compare.
 */
export function openToOthers(folder: string): string | undefined {
  if (process.platform === 'win32') return undefined
  const loose = looseIn(folder)
  return loose && `Others on this machine may look into ${folder} (${loose}). Close it: chmod -R go= '${folder.replaceAll("'", "'\\''")}'`
}

function looseIn(folder: string): string | undefined {
  const root = modeOf(() => statSync(folder))
  if (root === undefined) return undefined
  if (isLoose(root)) return `its mode is ${shown(root)}`
  return firstLoose(folder, '')
}

function firstLoose(folder: string, within: string): string | undefined {
  for (const entry of entriesOf(join(folder, within))) {
    const path = join(within, entry.name)
    const mode = entry.isSymbolicLink() ? undefined : modeOf(() => lstatSync(join(folder, path)))
    if (mode !== undefined && isLoose(mode)) return `${path} is ${shown(mode)}`
    const below = entry.isDirectory() && !isOfAUnit(path) ? firstLoose(folder, path) : undefined
    if (below) return below
  }
  return undefined
}

/** A unit's part of the file store may hold millions of files; nobody gets past its own folder. */
const isOfAUnit = (path: string): boolean => path.startsWith(`files${sep}`)

const isLoose = (mode: number): boolean => (mode & 0o077) !== 0
const shown = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')

/** Nothing where there is none, or no more: a service at work makes and removes files. */
function modeOf(look: () => { mode: number }): number | undefined {
  try {
    return look().mode
  } catch {
    return undefined
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
