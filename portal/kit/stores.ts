import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { logOnly } from './log.ts'

type Kept = { place: string; reset: () => void; rehydrate: () => void }

const kept: Kept[] = []
const alsoReset: (() => void)[] = []
const prefix = 'portolan.'
const version = 1
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
  const store = create<State>()(() => ({ ...fresh, ...keptAt<State>(place) }))
  // What is taken from elsewhere, or given up, is not written down again: other tabs would take it for news.
  let silent = false
  const silently = (work: () => void): void => {
    silent = true
    work()
    silent = false
  }
  store.subscribe(state => !silent && keepAt(place, keep(state)))
  kept.push({
    place,
    reset() {
      silently(() => store.setState(fresh, true))
      localStorage.removeItem(place)
    },
    // What is not written down stays as it is here; what would be, and is not there, is none.
    rehydrate: () => silently(() => store.setState({ ...keep(fresh), ...keptAt<State>(place) })),
  })
  return store
}

/** What is of another version, or was spoilt, is none. */
function keptAt<State>(place: string): Partial<State> | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? '{}') as { state?: Partial<State>; version?: number }
    return kept.version === version ? kept.state : undefined
  } catch {
    return undefined
  }
}

/** A browser that keeps nothing, or has no room, still shows the page. */
function keepAt(place: string, state: object): void {
  try {
    localStorage.setItem(place, JSON.stringify({ state, version }))
  } catch (error) {
    logOnly(`keeping ${place}`)(error)
  }
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
    else store.rehydrate()
  })
}
