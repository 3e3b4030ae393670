import { logOnly } from '../log.ts'
import type { Held, Side } from './held.ts'
import type { Sealer } from './sealer.ts'

/** Where a store is written down, by its name. */
export type Shelf = { read(place: string): string | null; write(place: string, text: string): void }

const nothing = (): Held => ({ localStorage: new Map(), sessionStorage: new Map(), over: false })

let held = nothing()
/** Only there while the session lives: its key comes from the service. It is loaded with what every page of the signed-in is made of. */
let sealer: Promise<Sealer> | undefined
let openedBy: string | undefined
let opened: Promise<void> | undefined

/** Keeps text in this storage, encrypted. Without a key it keeps it in memory alone. */
export const sealedIn = (side: Side): Shelf => ({
  read: place => held[side].get(place) ?? null,
  write(place, text) {
    held[side].set(place, text)
    void sealer?.then(sealer => sealer.keep(side, place, text))
  },
})

/** Settled when all that was kept until now is in the storage. */
export const isWritten = async (): Promise<void> => (await sealer)?.isWritten()

/** Opens all that is kept, as far as it was sealed with this key; what another one sealed, or nobody, is removed. */
export async function openSealed(key: string, places: (storage: Storage) => string[]): Promise<void> {
  if (openedBy === key) return opened
  closeSeal()
  // A browser encrypts for secure pages alone; for others nothing is kept.
  if (!isSecureContext) return
  const mine = held
  openedBy = key
  sealer = import('./sealer.ts').then(({ openSealer }) => openSealer(key, mine))
  opened = sealer.then(sealer => sealer.openAll(places)).catch(logOnly('opening what was kept'))
  return opened
}

/** Returns the text that another tab has kept; undefined where it cannot be opened here. */
export const takeSealed = async (place: string, written: string): Promise<string | undefined> => (await sealer)?.take(place, written)

/** From now on nothing of it can be read; what is not written yet never will be. */
export function closeSeal(): void {
  held.over = true
  held = nothing()
  sealer = openedBy = opened = undefined
}
