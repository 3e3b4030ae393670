import { randomUUID } from 'node:crypto'
import type { Database, ServiceTx } from '#server/kit/database.ts'
import type { FileStore } from '../store.ts'
import { confirmMark, findMark, holdMark, insertMark, newestContents, replaceMark } from './queries.ts'
import { OperatorError } from '#server/config/operator-error.ts'

/** The store that is configured is not the installation's, or cannot be looked at: one line for the operator. */
class WrongStore extends OperatorError {}

const wayOn = 'Set FILE_STORE to the right one, or take this one with `npm run files -- adopt`, which lists what is lost'

/**
 * Start goes on only with the store that carries the installation's marker. A fresh installation gives its store one, and so does one from
 * before there were markers, if the store holds its newest files. Cut off anywhere, the next start does the rest.
 */
export async function claimStore(database: Database, store: FileStore): Promise<void> {
  const known = await database.asService(findMark)
  if (known?.marked && (await markerOf(store)) === known.id) return
  if (!known) await database.asService(tx => insertMark(tx, randomUUID()))
  await database.atLeisure(async tx => {
    const { id, marked } = await holdMark(tx)
    const found = await markerOf(store)
    if (found === undefined) {
      if (marked)
        throw new WrongStore(
          `The file store ${store.address} does not carry this installation's marker: it is another one, or was emptied. ${wayOn}.`,
        )
      if (!(await holdsNewest(tx, store)))
        throw new WrongStore(`The file store ${store.address} lacks the newest files that the database knows. ${wayOn}.`)
      await reached(store, store.mark(id))
    } else if (found !== id) throw new WrongStore(`The file store ${store.address} carries the marker of another installation. ${wayOn}.`)
    if (!marked) await confirmMark(tx, id)
  })
}

/** The store that is configured becomes the installation's, and every other one ceases to be: under an id that none has carried. */
export async function adoptStore(database: Database, store: FileStore): Promise<'own' | 'adopted'> {
  if ((await stateOf(database, store)) === 'own') return 'own'
  const id = randomUUID()
  await database.asService(tx => replaceMark(tx, id))
  await reached(store, store.mark(id))
  await database.asService(tx => confirmMark(tx, id))
  return 'adopted'
}

/** How the store and the database stand to each other. */
export async function stateOf(database: Database, store: FileStore): Promise<'own' | 'unmarked' | 'foreign'> {
  const known = await database.asService(findMark)
  const found = await markerOf(store)
  if (found === undefined) return 'unmarked'
  return known?.marked && known.id === found ? 'own' : 'foreign'
}

/** All of them: of a folder that each node has for itself, some are elsewhere. */
const newest = 5

async function holdsNewest(tx: ServiceTx, store: FileStore): Promise<boolean> {
  const held = (await newestContents(tx, newest)).map(name => store.has(name))
  return (await reached(store, Promise.all(held))).every(Boolean)
}

const markerOf = (store: FileStore): Promise<string | undefined> => reached(store, store.marker())

const reached = <T>(store: FileStore, answer: Promise<T>): Promise<T> =>
  answer.catch((error: Error) => {
    throw new WrongStore(`The file store ${store.address} cannot be used (${error.message}). Mend it, or choose another with FILE_STORE.`)
  })
