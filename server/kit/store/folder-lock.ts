import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from '#server/config/operator-error.ts'

export class FolderLocked extends OperatorError {}

type Owner = { pid: number; host: string; born: string }

/**
 * Two processes on one embedded database lose data without a word, so its folder has one owner at a time. The lock of a process
 * that died is taken over; `born` tells a dead process from a later one that was given the same number.
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

/** The file appears whole or not at all, and only where there is none. */
function claim(path: string, self: Owner): boolean {
  // In two containers both may be process 1.
  const written = `${path}.${randomUUID()}`
  writeFileSync(written, JSON.stringify(self), { mode: 0o600 })
  try {
    linkSync(written, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(written)
  }
}

/**
 * Of several that find a dead owner one claims his succession; that file goes only after the owner's has become its own. Who comes late
 * and claims it once more finds another owner than the dead one that he saw.
 */
function takeOver(path: string, self: Owner, folder: string): void {
  const owner = readOwner(path)
  if (!owner) throw new FolderLocked(takenNow(folder))
  if (isAlive(owner)) throw new FolderLocked(lockedBy(owner, folder))
  const succession = `${path}.after-${owner.pid}`
  if (!claim(succession, self)) {
    const successor = readOwner(succession)
    throw new FolderLocked(
      successor && !isAlive(successor) ? `${leftBehind(folder)} Delete ${succession} and try again.` : takenNow(folder),
    )
  }
  const still = readOwner(path)
  if (still?.pid === owner.pid && still.born === owner.born) renameSync(succession, path)
  else {
    rmSync(succession)
    throw new FolderLocked(takenNow(folder))
  }
}

/** Nothing where there is none any more; what cannot be read is somebody's all the same. */
function readOwner(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new FolderLocked(`The lock ${path} cannot be read. If no process uses that folder, delete it and try again.`)
  }
}

const takenNow = (folder: string): string => `The folder ${folder} was taken by another process at this moment. Try again.`
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
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return owner.born === birthOf(owner.pid)
}

/** When the process began, in the kernel's ticks since this boot; empty where the system does not tell, and for one that has ended already. */
function birthOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const facts = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return facts[0] === 'Z' ? '' : `${boot}:${facts[19]}`
  } catch {
    return ''
  }
}
