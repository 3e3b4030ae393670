import { join, resolve } from 'node:path'
import type { Config } from '#server/config.ts'
import { openFolder } from './folder.ts'
import { openS3 } from './s3.ts'
import type { FileStore } from './store.ts'

/** Opens FILE_STORE: a folder of this machine, or a bucket of any S3-compatible service. */
export function openStore({ FILE_STORE, DATA_DIR }: Pick<Config, 'FILE_STORE' | 'DATA_DIR'>): FileStore {
  if (FILE_STORE?.startsWith('s3:')) return openS3(FILE_STORE)
  return openFolder(FILE_STORE ? resolve(FILE_STORE.slice('file:'.length)) : join(DATA_DIR, 'files'))
}
