import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from '#server/config/operator-error.ts'

export class FolderLocked extends OperatorError {}

type Owner = { pid: number; host: string; born: string }

/**
 * Locks the folder of an embedded database for this process. Two processes on one folder would silently lose data. The lock of a dead process is taken
 * over; `born` distinguishes it from a later process with the same number.
 */
export function lockFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'owner.json')
  const self: Owner = { pid: process.pid, host: hostname(), born: birthOf(process.pid) }
  if (!claim(path, self)) takeOver(path, self, folder)
  return {
    release() {
      const owner = readOwner(path)
      if (owner && owner.pid === self.pid && owner.born === self.born) rmSync(path, { force: true })
    },
  }
}

/** Creates the file with its whole content at once. Returns false if it exists. */
function claim(path: string, self: Owner): boolean {
  // Two processes in different containers may both have number 1.
  const written = `${path}.${randomUUID()}`
  writeFileSync(written, JSON.stringify(self), { mode: 0o600 })
  try {
    linkSync(written, path)
    return true
  } catch (error) {
    // Safe: fs throws errors with a code.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(written)
  }
}

/**
 * Replaces a dead owner. Of several processes, one creates the succession file, and renames it to the owner's file. A late one that creates it again
 * finds another owner than the dead one, and gives up.
 */
function takeOver(path: string, self: Owner, folder: string): void {
  const owner = readOwner(path)
  if (!owner) throw new FolderLocked(justTaken(folder))
  if (isAlive(owner)) throw new FolderLocked(lockedBy(owner, folder))
  const succession = `${path}.after-${owner.pid}`
  if (!claim(succession, self)) {
    const successor = readOwner(succession)
    throw new FolderLocked(
      successor && !isAlive(successor) ? `${leftBehind(folder)} Delete ${succession} and try again.` : justTaken(folder),
    )
  }
  const still = readOwner(path)
  if (still?.pid === owner.pid && still.born === owner.born) renameSync(succession, path)
  else {
    rmSync(succession)
    throw new FolderLocked(justTaken(folder))
  }
}

/** Returns undefined if the file does not exist. Throws if it cannot be read, because it may still have an owner. */
function readOwner(path: string): Owner | undefined {
  try {
    // Safe: only `claim` writes this file, at once.
    return JSON.parse(readFileSync(path, 'utf8')) as Owner
  } catch (error) {
    // Safe: a field that the error lacks is undefined.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new FolderLocked(`The lock ${path} cannot be read. If no process uses that folder, delete it and try again.`)
  }
}

const justTaken = (folder: string): string => `The folder ${folder} was taken by another process at this moment. Try again.`
const leftBehind = (folder: string): string => `A process died while it took the folder ${folder}.`

const lockedBy = (owner: Owner, folder: string): string =>
  owner.host === hostname()
    ? `The database folder ${folder} is in use by process ${owner.pid}. Stop it, or choose another folder with DATA_DIR.`
    : `The database folder ${folder} is in use by a process on ${owner.host}. If that machine is gone, delete ${join(folder, 'owner.json')}.`

function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true
  if (owner.pid === process.pid) return owner.born === birthOf(process.pid)
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    // Safe: process.kill throws errors with a code.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return owner.born === birthOf(owner.pid)
}

/** Returns the start of a process, in kernel ticks since this boot. It is empty for a dead process or on another system. */
function birthOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const facts = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return facts[0] === 'Z' ? '' : `${boot}:${facts[19]}`
  } catch {
    return ''
  }
}
