import { fsyncSync, mkdirSync } from 'node:fs'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { valueTypes } from './value-types.ts'

const extensions = { btree_gin, pg_trgm, unaccent }

/**
 * The embedded database's file system, with fsync and private files. PGlite's own ignores fsync, and its start parameters switch fsync off; both are
 * corrected here, so that an acknowledged commit survives a power cut (decision 0003). PGlite would also let all users read its files.
 */
class SyncingNodeFS extends NodeFS {
  override async init(...[database, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database, options)
    const letSyncsThrough = ({ NODEFS }: { NODEFS: NodeFileSystem }) => {
      NODEFS.stream_ops.fsync = stream => fsyncSync(stream.nfd)
      const setAttr = NODEFS.doSetAttr
      NODEFS.doSetAttr = (path, node, attr, ...how) =>
        setAttr(path, node, attr.mode === undefined ? attr : { ...attr, mode: attr.mode & ~0o077 }, ...how)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), letSyncsThrough] } }
  }
}

type NodeFileSystem = {
  stream_ops: { fsync?: (stream: { nfd: number }) => void }
  doSetAttr: (path: unknown, node: unknown, attr: { mode?: number }, ...how: unknown[]) => void
}

const durable = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync']
const startParams = [...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'), ...durable]

/** Settings for the short life of a test's database. Smaller buffers and a log without zero-filling halve the time to open it. */
const shortLived = ['shared_buffers=8MB', 'wal_init_zero=off', 'wal_recycle=off', 'min_wal_size=32MB'].flatMap(setting => ['-c', setting])
const memoryParams = [...PGlite.defaultStartParams, ...shortLived]

/** A folder, or the memory for a test's database. A new database is filled from the dump, if there is one. */
type Location = ({ folder: string } | { memory: true }) & { dump?: Blob }

export async function openEmbedded(location: Location, waitMs?: number): Promise<EmbeddedDatabase> {
  const engine = await startEmbedded(location)
  const pool = poolOf(engine, waitMs)
  return {
    pool,
    dump: () => engine.dumpDataDir('none'),
    async close() {
      await pool.end()
      await engine.close()
    },
  }
}

export function startEmbedded(location: Location): Promise<PGlite> {
  const options: PGliteOptions =
    'folder' in location ? { fs: new SyncingNodeFS(createFolder(location.folder)), startParams } : { startParams: memoryParams }
  return PGlite.create({ ...options, extensions, ...(location.dump ? { loadDataDir: location.dump } : {}) })
}

/**
 * Opens the pool of the single connection. A query outside a transaction, made from within it, would wait for ever: hence the limit.
 *
 * The pool replaces a client that failed, but the engine's session stays: without the rollback the next transaction would commit what is left of the
 * one before. Each client has a connection of its own, as one that is being replaced still ends its own.
 */
export const poolOf = (engine: PGlite, waitMs = 20_000): pg.Pool =>
  new pg.Pool({
    Client: class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        // Safe: PGlite writes this configuration for pg.
        super({ ...config, ...(createPgConfig(engine) as unknown as pg.ClientConfig) })
      }
    },
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its type does not say
    onConnect: client => client.query('rollback'),
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: waitMs,
    types: valueTypes,
  })

export type EmbeddedDatabase = { pool: pg.Pool; dump(): Promise<Blob>; close(): Promise<void> }

function createFolder(folder: string): string {
  mkdirSync(folder, { recursive: true })
  return folder
}
