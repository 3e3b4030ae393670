import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

export class FolderLocked extends Error {}

type Owner = { pid: number; host: string; born: string }

/**
 * Two processes on one embedded database lose data without a word, so its folder has one owner at a time. The lock of a process
 * that died is taken over; `born` tells a dead process from a later one that was given the same number.
 */
export function lockFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true })
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

function claim(path: string, self: Owner): boolean {
  try {
    writeFileSync(path, JSON.stringify(self), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function takeOver(path: string, self: Owner, folder: string): void {
  const owner = readOwner(path)
  if (owner && isAlive(owner)) throw new FolderLocked(lockedBy(owner, folder))
  // Of several that find a dead owner, exactly one succeeds in moving his lock away; the others then find the new owner's.
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    throw new FolderLocked(`The folder ${folder} was taken by another process at this moment. Try again.`)
  }
  const moved = readOwner(aside)
  if (moved && isAlive(moved)) {
    claim(path, moved)
    rmSync(aside, { force: true })
    throw new FolderLocked(lockedBy(moved, folder))
  }
  rmSync(aside, { force: true })
  if (!claim(path, self)) throw new FolderLocked(`The folder ${folder} was taken by another process at this moment. Try again.`)
}

function readOwner(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

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
