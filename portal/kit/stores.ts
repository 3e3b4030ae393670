import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { isSealed } from './kept/held.ts'
import { closeSeal, openSealed, sealedIn, type Shelf, takeSealed } from './kept/sealed.ts'
import { logOnly } from './log.ts'

type Kept = { place: string; own: boolean; plain: boolean; reset: () => void; rehydrate: () => void; hear: (written: string) => void }
type Written<State> = { state?: Partial<State>; version?: number; since?: string }

const kept: Kept[] = []
const alsoReset: (() => void)[] = []
const prefix = 'portolan.'
const version = 1
/** What is the browser's own, whoever signs in. */
const lasting = new Set(['portolan.appearance', 'portolan.followed-language', 'portolan.reloaded'])
/** Changes with every session: what a tab has kept of an earlier one is none. */
const sinceAt = `${prefix}since`

const inPlain: Shelf = {
  read: place => localStorage.getItem(place),
  write: (place, text) => localStorage.setItem(place, text),
}
const forAllTabs = sealedIn('localStorage')
const forThisTab = sealedIn('sessionStorage')

type Wish<State> = {
  /** What of it may be written down. */
  keep?: (state: State) => Partial<State>
  /** Each tab has its own: two clients are on the phone. A new one begins with what was written last. */
  own?: boolean
  /** Hints that are needed before anybody is known to be signed in; all else is sealed with a key of the session (kept/sealed.ts). */
  plain?: boolean
  /** What of another tab's own is taken over here. */
  follow?: (mine: State, theirs: Partial<State>) => Partial<State> | undefined
}

/**
 * A store that outlives a reload (spec 4) and, if it is not each tab's own, is the same in every tab. What it holds is data alone, so that
 * whatever the browser gives back can be laid over what a fresh one has.
 */
export function openStore<State extends object>(
  name: string,
  fresh: State,
  { keep = state => state, own = false, plain = false, follow }: Wish<State> = {},
): UseBoundStore<StoreApi<State>> {
  const place = prefix + name
  const shelf = plain ? inPlain : forAllTabs
  const store = create<State>()(() => ({ ...fresh, ...keptAt<State>(shelf, place, own) }))
  // What is taken from elsewhere, or given up, is not written down again: other tabs would take it for news.
  let silent = false
  const silently = (work: () => void): void => {
    silent = true
    work()
    silent = false
  }
  store.subscribe(state => {
    if (silent) return
    keepAt(shelf, place, keep(state))
    if (own) keepAt(forThisTab, place, keep(state))
  })
  kept.push({
    place,
    own,
    plain,
    reset: () => silently(() => store.setState(fresh, true)),
    // What is not written down stays as it is here; what would be, and is not there, is none.
    rehydrate: () => silently(() => store.setState({ ...keep(fresh), ...keptAt<State>(shelf, place, own) })),
    hear(written) {
      const taken = follow?.(store.getState(), stateIn<State>(written) ?? {})
      if (!taken) return
      silently(() => store.setState(taken))
      keepAt(forThisTab, place, keep(store.getState()))
    },
  })
  return store
}

function keptAt<State>(shelf: Shelf, place: string, own: boolean): Partial<State> | undefined {
  try {
    const since = localStorage.getItem(sinceAt)
    const mine = own && since !== null && forThisTab.read(place)
    return (mine && stateIn<State>(mine, since)) || stateIn<State>(shelf.read(place) ?? '{}')
  } catch {
    return undefined
  }
}

/** What is of another version or session, or was spoilt, is none. */
function stateIn<State>(written: string, session?: string): Partial<State> | undefined {
  try {
    const kept = JSON.parse(written) as Written<State>
    return kept.version === version && (session === undefined || kept.since === session) ? kept.state : undefined
  } catch {
    return undefined
  }
}

/** A browser that keeps nothing, or has no room, still shows the page. */
function keepAt(shelf: Shelf, place: string, state: object): void {
  try {
    shelf.write(place, JSON.stringify({ state, version, ...(shelf === forThisTab ? { since: sinceWhen() } : {}) }))
  } catch (error) {
    logOnly(`keeping ${place}`)(error)
  }
}

function sinceWhen(): string {
  const since = localStorage.getItem(sinceAt) ?? `${Date.now()} ${Math.random()}`
  localStorage.setItem(sinceAt, since)
  return since
}

/** Opens what this user has kept for the unit that is worked for. It is there before any page is shown; what somebody else left goes. */
export async function openStores(browserKey: string): Promise<void> {
  await openSealed(browserKey, storage => placesIn(storage).filter(place => !isPlain(place)))
  for (const { plain, rehydrate } of kept) if (!plain) rehydrate()
}

/** At sign-out everything goes: nothing of a session stays in this browser (spec 4), also of stores that this page never opened. */
export const resetStores = (): void => clear(() => true)

/** The session ended by itself: what is sealed waits for the same user, whom alone the service gives the key. The rest goes. */
export const shutStores = (): void => clear((storage, place) => place !== sinceAt && !isSealed(storage.getItem(place)))

function clear(goes: (storage: Storage, place: string) => boolean): void {
  closeSeal()
  for (const { reset } of kept) reset()
  for (const also of alsoReset) also()
  for (const storage of [localStorage, sessionStorage])
    for (const place of placesIn(storage)) if (goes(storage, place)) storage.removeItem(place)
}

const placesIn = (storage: Storage): string[] => Object.keys(storage).filter(place => place.startsWith(prefix) && !lasting.has(place))

const isPlain = (place: string): boolean => place === sinceAt || kept.some(store => store.plain && store.place === place)

/** For what is no store, and must not outlive a session either. */
export function onReset(also: () => void): void {
  alsoReset.push(also)
}

/** What another tab wrote is taken over; what it took away is the business of `gone`. */
export function followOtherTabs(gone: (place: string) => void): void {
  let hearing = Promise.resolve()
  window.addEventListener('storage', ({ key, newValue, storageArea }) => {
    if (key === null || storageArea !== localStorage) return
    const store = kept.find(({ place }) => place === key)
    if (newValue === null) return store && gone(store.place)
    if (store?.plain) return store.rehydrate()
    // One after the other, as they were written.
    hearing = hearing.then(async () => {
      const text = await takeSealed(key, newValue)
      if (text === undefined || !store) return
      if (store.own) store.hear(text)
      else store.rehydrate()
    })
  })
}
