import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'

type Kept = { place: string; reset: () => void; rehydrate: () => unknown }

const kept: Kept[] = []
const alsoReset: (() => void)[] = []
const prefix = 'portolan.'
/** What is the browser's own, whoever signs in. */
const lasting = new Set(['portolan.appearance', 'portolan.followed-language'])

/**
 * A store that outlives a reload and is the same in every tab (spec 4). What it holds is data alone, so that whatever the browser gives
 * back can be laid over what a fresh one has; `keep` says what of it may be written down.
 */
export function openStore<State extends object>(
  name: string,
  fresh: State,
  keep: (state: State) => Partial<State> = state => state,
): UseBoundStore<StoreApi<State>> {
  const place = prefix + name
  const store = create<State>()(
    persist(() => fresh, { name: place, storage: createJSONStorage(() => localStorage), partialize: keep, version: 1 }),
  )
  kept.push({
    place,
    reset() {
      store.setState(fresh, true)
      localStorage.removeItem(place)
    },
    rehydrate: () => (store as unknown as { persist: { rehydrate(): unknown } }).persist.rehydrate(),
  })
  return store
}

/** At sign-out everything goes: nothing of a session stays in this browser (spec 4), also of stores that this page never opened. */
export function resetStores(): void {
  for (const { reset } of kept) reset()
  for (const also of alsoReset) also()
  const left = Object.keys(localStorage).filter(place => place.startsWith(prefix) && !lasting.has(place))
  for (const place of left) localStorage.removeItem(place)
}

/** For what is no store, and must not outlive a session either. */
export function onReset(also: () => void): void {
  alsoReset.push(also)
}

/** What another tab wrote is taken over; what it took away is the business of `gone`. */
export function followOtherTabs(gone: (place: string) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    const store = kept.find(({ place }) => place === key)
    if (!store) return
    if (newValue === null) gone(store.place)
    else void store.rehydrate()
  })
}
