import { fsyncSync, mkdirSync } from 'node:fs'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'

/** PostgreSQL within the process. It has one session, and takes the messages of PostgreSQL's protocol. */
export type Engine = {
  /** Takes whole messages, several at a time, and returns the responses. */
  exec(messages: Uint8Array): Promise<Uint8Array>
  /** Returns a copy of all data, by which another engine can start. */
  dump(): Promise<Blob>
  close(): Promise<void>
}

/** A folder, or the memory for a test's database. A new database is filled from the dump, if there is one. */
export type Location = ({ folder: string } | { memory: true }) & { dump?: Blob }

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
/** PostgreSQL's own 128 MB would all be written at each start. The system caches the files, too. */
const quickStart = ['-c', 'shared_buffers=64MB']
const startParams = [...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'), ...durable, ...quickStart]

/** Settings for the short life of a test's database. Smaller buffers and a log without zero-filling halve the time to open it. */
const shortLived = ['shared_buffers=8MB', 'wal_init_zero=off', 'wal_recycle=off', 'min_wal_size=32MB'].flatMap(setting => ['-c', setting])
const memoryParams = [...PGlite.defaultStartParams, ...shortLived]

/** Starts the engine in this thread, which it blocks while it works. */
export async function startEngine(location: Location): Promise<Engine> {
  const options: PGliteOptions =
    'folder' in location ? { fs: new SyncingNodeFS(createFolder(location.folder)), startParams } : { startParams: memoryParams }
  const engine = await PGlite.create({ ...options, extensions, ...(location.dump ? { loadDataDir: location.dump } : {}) })
  return {
    exec: messages => responsesTo(engine, messages),
    dump: () => engine.dumpDataDir('none'),
    close: () => engine.close(),
  }
}

/** Returns the engine's bytes as they come. PGlite's own way to collect them reads each message, too, and keeps it for good. */
async function responsesTo(engine: PGlite, messages: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  // The bytes are in the engine's memory, which it writes to again.
  await engine.execProtocolRawStream(messages, { onRawData: bytes => void parts.push(bytes.slice()) })
  const [only] = parts
  return parts.length === 1 && only ? only : Buffer.concat(parts)
}

function createFolder(folder: string): string {
  mkdirSync(folder, { recursive: true })
  return folder
}
