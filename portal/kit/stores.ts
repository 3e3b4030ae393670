import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { logOnly } from './log.ts'

type Kept = { place: string; own: boolean; reset: () => void; rehydrate: () => void; hear: (written: string) => void }
type Written<State> = { state?: Partial<State>; version?: number; since?: string }

const kept: Kept[] = []
const alsoReset: (() => void)[] = []
const prefix = 'portolan.'
const version = 1
/** What is the browser's own, whoever signs in. */
const lasting = new Set(['portolan.appearance', 'portolan.followed-language', 'portolan.reloaded'])
/** Changes with every session: what a tab has kept of an earlier one is none. */
const sinceAt = `${prefix}since`

type Wish<State> = {
  /** What of it may be written down. */
  keep?: (state: State) => Partial<State>
  /** Each tab has its own: two clients are on the phone. A new one begins with what was written last. */
  own?: boolean
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
  { keep = state => state, own = false, follow }: Wish<State> = {},
): UseBoundStore<StoreApi<State>> {
  const place = prefix + name
  const store = create<State>()(() => ({ ...fresh, ...keptAt<State>(place, own) }))
  // What is taken from elsewhere, or given up, is not written down again: other tabs would take it for news.
  let silent = false
  const silently = (work: () => void): void => {
    silent = true
    work()
    silent = false
  }
  store.subscribe(state => !silent && keepAt(place, keep(state), own))
  kept.push({
    place,
    own,
    reset() {
      silently(() => store.setState(fresh, true))
      localStorage.removeItem(place)
    },
    // What is not written down stays as it is here; what would be, and is not there, is none.
    rehydrate: () => silently(() => store.setState({ ...keep(fresh), ...keptAt<State>(place) })),
    hear(written) {
      const taken = follow?.(store.getState(), stateIn<State>(written) ?? {})
      if (!taken) return
      silently(() => store.setState(taken))
      keepOwn(place, keep(store.getState()))
    },
  })
  return store
}

function keptAt<State>(place: string, own = false): Partial<State> | undefined {
  try {
    const since = localStorage.getItem(sinceAt)
    const mine = own && since !== null && sessionStorage.getItem(place)
    return (mine && stateIn<State>(mine, since)) || stateIn<State>(localStorage.getItem(place) ?? '{}')
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
function keepAt(place: string, state: object, own: boolean): void {
  try {
    localStorage.setItem(place, JSON.stringify({ state, version }))
  } catch (error) {
    logOnly(`keeping ${place}`)(error)
  }
  if (own) keepOwn(place, state)
}

function keepOwn(place: string, state: object): void {
  try {
    sessionStorage.setItem(place, JSON.stringify({ state, version, since: sinceWhen() }))
  } catch (error) {
    logOnly(`keeping ${place}`)(error)
  }
}

function sinceWhen(): string {
  const since = localStorage.getItem(sinceAt) ?? `${Date.now()} ${Math.random()}`
  localStorage.setItem(sinceAt, since)
  return since
}

/** At sign-out everything goes: nothing of a session stays in this browser (spec 4), also of stores that this page never opened. */
export function resetStores(): void {
  for (const { reset } of kept) reset()
  for (const also of alsoReset) also()
  for (const storage of [localStorage, sessionStorage])
    for (const place of Object.keys(storage)) if (place.startsWith(prefix) && !lasting.has(place)) storage.removeItem(place)
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
    else if (store.own) store.hear(newValue)
    else store.rehydrate()
  })
}
