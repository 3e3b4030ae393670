import { randomUUID } from 'node:crypto'
import type { World } from '#server/kit/app-context.ts'
import type { Database, ServiceTx } from '#server/kit/database.ts'
import type { FileStore } from '../store.ts'
import { confirmMark, findMark, insertMark, lockMark, newestContents, replaceMark } from './queries.ts'
import { OperatorError } from '#server/config/operator-error.ts'

/** The configured store is not the installation's, or cannot be used. Its message is one line for the operator. */
class WrongStore extends OperatorError {}

const advice = 'Set FILE_STORE to the right one, or take this one with `npm run files -- adopt`, which lists what is lost'

/**
 * Checks at the start that the store carries the installation's marker. A fresh installation marks its store. So does one from before
 * markers, if the store holds its newest files. After an interruption at any point, the next start completes it.
 */
export async function claimStore(database: Database, store: FileStore): Promise<void> {
  const known = await database.asService(findMark)
  if (known?.marked && (await markerOf(store)) === known.id) return
  if (!known) await database.asService(tx => insertMark(tx, randomUUID()))
  await database.atLeisure(async tx => {
    const { id, marked } = await lockMark(tx)
    const found = await markerOf(store)
    if (found === undefined) {
      if (marked)
        throw new WrongStore(
          `The file store ${store.address} does not carry this installation's marker: it is another one, or was emptied. ${advice}.`,
        )
      if (!(await holdsNewest(tx, store)))
        throw new WrongStore(`The file store ${store.address} lacks the newest files that the database knows. ${advice}.`)
      await orWrongStore(store, store.mark(id))
    } else if (found !== id) throw new WrongStore(`The file store ${store.address} carries the marker of another installation. ${advice}.`)
    if (!marked) await confirmMark(tx, id)
  })
}

/** Makes the configured store the installation's only one, under an id that no store has carried. */
export async function adoptStore(database: Database, store: FileStore): Promise<'own' | 'adopted'> {
  if ((await stateOf(database, store)) === 'own') return 'own'
  const id = randomUUID()
  await database.asService(tx => replaceMark(tx, id))
  await orWrongStore(store, store.mark(id))
  await database.asService(tx => confirmMark(tx, id))
  return 'adopted'
}

/** Compares the marker in the store with the one in the database. */
export async function stateOf(database: Database, store: FileStore): Promise<'own' | 'unmarked' | 'foreign'> {
  const known = await database.asService(findMark)
  const found = await markerOf(store)
  if (found === undefined) return 'unmarked'
  return known?.marked && known.id === found ? 'own' : 'foreign'
}

/** All of these must exist: with a folder per node, some lie on other nodes. */
const newest = 5

async function holdsNewest(tx: ServiceTx, store: FileStore): Promise<boolean> {
  const checks = (await newestContents(tx, newest)).map(name => store.has(name))
  return (await orWrongStore(store, Promise.all(checks))).every(Boolean)
}

const markerOf = (store: FileStore): Promise<string | undefined> => orWrongStore(store, store.marker())

const orWrongStore = <T>(store: FileStore, answer: Promise<T>): Promise<T> =>
  answer.catch((error: Error) => {
    throw new WrongStore(`The file store ${store.address} cannot be used (${error.message}). Mend it, or choose another with FILE_STORE.`)
  })

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
