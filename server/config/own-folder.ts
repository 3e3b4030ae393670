import { lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'

/** Makes everything that this process creates private to its owner: folders 0700, files 0600. */
export const closeToOthers = (): void => void process.umask(0o077)

/**
 * Returns one line for the operator if other users can read the data folder, else undefined. The folder holds personal data, the encryption key and
 * the database. Windows has no such modes to check.
 */
export function openToOthers(folder: string): string | undefined {
  if (process.platform === 'win32') return undefined
  const loose = looseIn(folder)
  return (
    loose &&
    `Not done: others on this machine may look into ${folder} (${loose}). Close it: chmod -R go= '${folder.replaceAll("'", "'\\''")}'`
  )
}

/**
 * Gives everything in the data folder to the folder's owner, if this process is root. The service's user could not read what a command of root has
 * written there.
 */
export function giveToOwner(folder: string): void {
  if (process.getuid?.() !== 0) return
  const owner = statSync(folder, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) giveWithin(folder, '', owner)
}

function giveWithin(folder: string, within: string, owner: { uid: number; gid: number }): void {
  for (const entry of entriesOf(join(folder, within))) {
    const path = join(within, entry.name)
    try {
      lchownSync(join(folder, path), owner.uid, owner.gid)
    } catch {
      // A running service creates and removes files.
    }
    if (entry.isDirectory() && !isOfAUnit(path)) giveWithin(folder, path, owner)
  }
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

/** True for a unit's folder in the file store. It may hold millions of files, its own mode already keeps others out, and the store gives each to its owner. */
const isOfAUnit = (path: string): boolean => path.startsWith(`files${sep}`)

const isLoose = (mode: number): boolean => (mode & 0o077) !== 0
const shown = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')

/** Returns undefined for a file that does not exist. A running service creates and removes files. */
function modeOf(stat: () => { mode: number }): number | undefined {
  try {
    return stat().mode
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
