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
 * The embedded PostgreSQL never asks the disk to keep what it wrote: its file system swallows fsync and its start parameters
 * switch it off. Both are put right here, so that an acknowledged commit survives a power cut (decision 0003). And what it makes is nobody else's
 * to read, which it would grant to all.
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

/** A test's own lives for a second: buffers and a log that need not be filled with zeros first make it open in half the time. */
const shortLived = ['shared_buffers=8MB', 'wal_init_zero=off', 'wal_recycle=off', 'min_wal_size=32MB'].flatMap(setting => ['-c', setting])
const memoryParams = [...PGlite.defaultStartParams, ...shortLived]

/** A folder, or for a test's own the memory; what is empty is filled from a dump when one is given. */
type Place = ({ folder: string } | { memory: true }) & { dump?: Blob }

export async function openEmbedded(place: Place, waitMs?: number): Promise<EmbeddedDatabase> {
  const engine = await startEmbedded(place)
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

export function startEmbedded(place: Place): Promise<PGlite> {
  const options: PGliteOptions =
    'folder' in place ? { fs: new SyncingNodeFS(madeFolder(place.folder)), startParams } : { startParams: memoryParams }
  return PGlite.create({ ...options, extensions, ...(place.dump ? { loadDataDir: place.dump } : {}) })
}

/** One connection is all there is. A query outside the open transaction, made from inside it, would wait for ever: hence the time limit. */
export const poolOf = (engine: PGlite, waitMs = 20_000): pg.Pool =>
  new pg.Pool({
    ...(createPgConfig(engine) as unknown as pg.PoolConfig),
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: waitMs,
    types: valueTypes,
  })

export type EmbeddedDatabase = { pool: pg.Pool; dump(): Promise<Blob>; close(): Promise<void> }

function madeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true })
  return folder
}
