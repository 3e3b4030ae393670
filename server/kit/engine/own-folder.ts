import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { FolderLocked, lockFolder } from '#server/kit/store/folder-lock.ts'
import type { Engine } from './engine.ts'
import { type EngineThread, startEngineInThread } from './in-thread.ts'

/** The folder of an embedded database that this process has locked, with the engine that starts in it. */
export type OwnFolder = { engine: Promise<Engine>; release: () => void }

/**
 * Locks the folder, then calls `owned`, before anything is created in it, then lets the engine start in its thread. This loads nothing heavy, so that
 * a service loads its own code while the engine starts.
 */
export async function ownFolder(folder: string, owned: () => void | Promise<void>, thread?: EngineThread): Promise<OwnFolder> {
  const lock = await waitForLock(folder)
  try {
    await owned()
  } catch (error) {
    lock.release()
    throw error
  }
  const engine = startEngineInThread(join(folder, 'postgres'), thread)
  engine.catch(() => lock.release())
  return { engine, release: () => lock.release() }
}

/** Locks the folder, and waits at most three seconds for a stopping process to release it. */
async function waitForLock(folder: string): Promise<{ release(): void }> {
  for (let tries = 0; tries < 30; tries++) {
    try {
      return lockFolder(folder)
    } catch (error) {
      if (!(error instanceof FolderLocked)) throw error
    }
    await delay(100)
  }
  return lockFolder(folder)
}

const settingsFile = join(import.meta.dirname, '../../../.env')

/** True unless a setting names a database: a guess before the settings are read, which decide. */
export function seemsEmbedded(environment: NodeJS.ProcessEnv, file = settingsFile): boolean {
  const inFile = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return !/DATABASE/.test([...Object.keys(environment), inFile].join('\n'))
}
