import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '#server/config.ts'

/** An erased or blocked object, or an erased email about none. It names no person: ids suffice to repeat the erasure in a restored copy. */
export type Suppressed = { unit: string; kind: 'budget' | 'policy' | 'ticket' | 'copy' | 'mail'; id: string }

/**
 * The list of erasures, kept outside the database and its backups. A copy of an earlier day still has the data, which is erased again by this list.
 * One line for each object, only ever appended.
 */
export type Suppressions = {
  path: string
  /** Creates an empty list, so that a missing list is known to be lost. */
  begin(): Promise<void>
  add(objects: readonly Suppressed[]): Promise<void>
  /** Undefined if the list is missing. */
  read(): Promise<Suppressed[] | undefined>
}

export function openSuppressions({ SUPPRESSION_FILE, FILE_STORE, DATA_DIR }: Pick<Config, 'SUPPRESSION_FILE' | 'FILE_STORE' | 'DATA_DIR'>) {
  const beside = FILE_STORE?.startsWith('file:') ? dirname(resolve(FILE_STORE.slice('file:'.length))) : DATA_DIR
  const path = SUPPRESSION_FILE ? resolve(SUPPRESSION_FILE) : join(beside, 'suppressed.jsonl')

  async function append(text: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, 'a', 0o600)
    try {
      await file.appendFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
  }

  const suppressions: Suppressions = {
    path,
    begin: () => append(''),
    add: async objects => {
      if (objects.length > 0) await append(objects.map(object => `${JSON.stringify(object)}\n`).join(''))
    },
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
      // A crash may leave a last line incomplete, which was never acted upon. Safe: `add` writes the others.
      return text?.split('\n').flatMap(line => (line.endsWith('}') ? [JSON.parse(line) as Suppressed] : []))
    },
  }
  return suppressions
}
