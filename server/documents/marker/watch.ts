import type { World } from '#server/kit/app-context.ts'
import type { FileStore } from '../store.ts'
import { findMark } from './queries.ts'

/**
 * Measures at each scrape whether the store still carries the installation's marker, and logs once when it does not. Returns the same check, for an
 * installation whose metrics nothing reads.
 */
export function watchStore({ database, metrics, log }: World, store: FileStore): () => Promise<number> {
  let isWhole = true
  const look = async () => {
    const mark = await database.asService(findMark).catch(() => undefined)
    // Without the database nothing is known of the store.
    if (!mark?.marked) return Number(isWhole)
    const found = await store.marker().catch((error: Error) => error)
    if (isWhole && found !== mark.id)
      log.error(
        { err: found instanceof Error ? found : undefined, store: store.address },
        'the file store lacks the marker of this installation',
      )
    isWhole = found === mark.id
    return Number(isWhole)
  }
  metrics.measured('portolan_file_store_up', '1 while the file store carries the marker of this installation', look)
  return look
}
