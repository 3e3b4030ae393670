import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileStore, NoSuchContent } from './store.ts'

/** A folder of this machine. Several nodes need one that they share, or a bucket. */
export function openFolder(folder: string): FileStore {
  const pathOf = (name: string) => {
    if (!/^[\da-f-]{36}\/[\da-f-]{36}$/.test(name)) throw new TypeError('no name of the store')
    // 256 folders a unit: none grows so large that looking into it takes long.
    return join(folder, name.slice(0, 36), name.slice(-2), name.slice(37))
  }
  return {
    async put(name, content) {
      const path = pathOf(name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const partial = `${path}.${process.pid}-${(written += 1)}`
      await writeWhole(partial, content).catch(async (error: unknown) => {
        await rm(partial, { force: true })
        throw error
      })
      // Whoever finds the name finds the whole file.
      await rename(partial, path)
    },
    read: name =>
      new Promise((resolve, reject) => {
        const stream = createReadStream(pathOf(name))
        stream.once('open', () => resolve(stream))
        stream.once('error', error => reject('code' in error && error.code === 'ENOENT' ? new NoSuchContent(name) : error))
      }),
    remove: name => rm(pathOf(name), { force: true }),
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
