import pg from 'pg'
import type { Engine } from '#server/kit/engine/engine.ts'
import { startEngineInThread } from '#server/kit/engine/in-thread.ts'
import { EngineStream } from '#server/kit/engine/stream.ts'
import { valueTypes } from './value-types.ts'

/** Opens the embedded database: that of a folder in a thread of its own, a test's in this thread. */
export async function openEmbedded(
  location: { folder: string } | { memory: true; dump?: Blob },
  waitMs?: number,
): Promise<EmbeddedDatabase> {
  if ('folder' in location) return embeddedOf(await startEngineInThread(location.folder), waitMs)
  // A service does not load the engine's code in its main thread.
  const { startEngine } = await import('#server/kit/engine/engine.ts')
  return embeddedOf(await startEngine(location), waitMs)
}

export function embeddedOf(engine: Engine, waitMs?: number): EmbeddedDatabase {
  const pool = poolOf(engine, waitMs)
  return {
    pool,
    dump: () => engine.dump(),
    async close() {
      await pool.end()
      await engine.close()
    },
  }
}

/**
 * Opens the pool of the single connection. A query outside a transaction, made from within it, would wait for ever: hence the limit.
 *
 * The pool replaces a client that failed, but the engine's session stays: without the rollback the next transaction would commit what is left of the
 * one before.
 */
export const poolOf = (engine: Pick<Engine, 'exec'>, waitMs = 20_000): pg.Pool =>
  new pg.Pool({
    stream: () => new EngineStream(engine),
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its type does not say
    onConnect: client => client.query('rollback'),
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: waitMs,
    types: valueTypes,
    // Several statements may be sent at a time (sql/connection.ts).
    pipeline: true,
  })

export type EmbeddedDatabase = { pool: pg.Pool; dump(): Promise<Blob>; close(): Promise<void> }
