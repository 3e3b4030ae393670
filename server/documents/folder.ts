import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Outage } from '#server/kit/store/outage.ts'
import { type FileStore, markerName, NoSuchContent } from './store.ts'

/** A folder of this machine. Several nodes need one that they share, or a bucket. */
export function openFolder(folder: string): FileStore {
  const pathOf = (name: string) => {
    if (!/^[\da-f-]{36}\/[\da-f-]{36}$/.test(name)) throw new TypeError('no name of the store')
    // 256 folders a unit: none grows so large that looking into it takes long.
    return join(folder, name.slice(0, 36), name.slice(-2), name.slice(37))
  }
  return {
    address: folder,
    put: (name, content) => putAt(pathOf(name), content),
    has: async name => (await stat(pathOf(name)).catch(unlessMissing)) !== undefined,
    read: name =>
      new Promise((resolve, reject) => {
        const stream = createReadStream(pathOf(name))
        stream.once('open', () => resolve(stream))
        stream.once('error', error => reject(isMissing(error) ? new NoSuchContent(name) : outageOf(error)))
      }),
    remove: name => rm(pathOf(name), { force: true }).catch(failed),
    marker: async () => (await readFile(join(folder, markerName), 'utf8').catch(unlessMissing))?.trim(),
    mark: id => putAt(join(folder, markerName), Buffer.from(`${id}\n`)),
  }
}

/** Folders that somebody takes away at this very moment are made once more. */
async function putAt(path: string, content: Buffer, triesLeft = 3): Promise<void> {
  const partial = `${path}.${process.pid}-${(written += 1)}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeWhole(partial, content)
    // Whoever finds the name finds the whole file.
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    if (!isMissing(error) || triesLeft === 0) throw outageOf(error)
    await putAt(path, content, triesLeft - 1)
  }
}

let written = 0

/** On the disk, not only handed over to the system: a row will say that it is there. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** A disk that is full, a share that is gone, a folder that may not be written: an operator mends it, and nobody's question was wrong. */
const outageOf = (error: unknown): Outage => new Outage(`the file store fails: ${(error as Error).message}`, { cause: error })

function failed(error: unknown): never {
  throw outageOf(error)
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) failed(error)
}
