import { createReadStream } from 'node:fs'
import { chown, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Outage } from '#server/kit/store/outage.ts'
import { type FileStore, markerName, NoSuchContent } from './store.ts'

/** Opens a folder of this machine as a file store. Several nodes need a shared folder, or a bucket. */
export function openFolder(folder: string): FileStore {
  const pathOf = (name: string) => {
    if (!/^[\da-f-]{36}\/[\da-f-]{36}$/.test(name)) throw new TypeError('no name of the store')
    // 256 folders a unit keep each folder small enough to list quickly.
    return join(folder, name.slice(0, 36), name.slice(-2), name.slice(37))
  }
  return {
    address: folder,
    put: (name, content) => putAt(folder, pathOf(name), content),
    has: async name => (await stat(pathOf(name)).catch(unlessMissing)) !== undefined,
    read: name =>
      new Promise((resolve, reject) => {
        const stream = createReadStream(pathOf(name))
        stream.once('open', () => resolve(stream))
        stream.once('error', error => reject(isMissing(error) ? new NoSuchContent(name) : outageOf(error)))
      }),
    remove: name => rm(pathOf(name), { force: true }).catch(throwOutage),
    marker: async () => (await readFile(join(folder, markerName), 'utf8').catch(unlessMissing))?.trim(),
    mark: id => putAt(folder, join(folder, markerName), Buffer.from(`${id}\n`)),
  }
}

/** Writes a file. A folder that is deleted meanwhile is created again, three times at most. */
async function putAt(folder: string, path: string, content: Buffer, triesLeft = 3): Promise<void> {
  const partial = `${path}.${process.pid}-${(written += 1)}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeWhole(partial, content)
    await giveToOwner(folder, partial)
    // A reader that finds the name finds the whole file.
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    if (!isMissing(error) || triesLeft === 0) throw outageOf(error)
    await putAt(folder, path, content, triesLeft - 1)
  }
}

/** Gives a file that root wrote, and the folders made for it, to the owner of the store, as the service's user could not read them. */
async function giveToOwner(folder: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(folder)
  for (let path = file; path !== folder; path = dirname(path)) await chown(path, uid, gid)
}

let written = 0

/** Writes to the disk, not only to the system's cache: a row will rely on it. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** A full disk, a missing share or a folder without write permission: the operator's problem, never the request's. */
const outageOf = (error: unknown): Outage => new Outage(`the file store fails: ${messageOf(error)}`, { cause: error })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
function throwOutage(error: unknown): never {
  throw outageOf(error)
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throwOutage(error)
}
