import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { closeEncrypted, encryptedIn, openEncrypted, openFromOtherTab, type TextStorage } from './kept/encrypted-storage.ts'
import { isEncrypted } from './kept/open-texts.ts'
import { logOnly } from './log.ts'

type StoreEntry = {
  key: string
  perTab: boolean
  plain: boolean
  reset: () => void
  rehydrate: () => void
  /** Adopts what another tab has stored. */
  follow: (stored: string) => void
}
type Stored<State> = { state?: Partial<State>; version?: number; since?: string }

const stores: StoreEntry[] = []
const resetHandlers: (() => void)[] = []
const prefix = 'portolan.'
const version = 1
/** The keys of values that belong to the browser, not to a session. */
const lastingKeys = new Set(['portolan.appearance', 'portolan.followed-language', 'portolan.reloaded'])
/** The key of a stamp that changes with every session, so that tabs ignore state of an earlier session. */
const sinceKey = `${prefix}since`

const inPlain: TextStorage = {
  read: key => localStorage.getItem(key),
  write: (key, text) => localStorage.setItem(key, text),
}
const forAllTabs = encryptedIn('localStorage')
const forThisTab = encryptedIn('sessionStorage')

type StoreOptions<State> = {
  /** Returns the part of the state that may be stored in the browser. */
  keep?: (state: State) => Partial<State>
  /** True if each tab has its own state, as an agent may serve two clients at once. A new tab begins with the latest state. */
  perTab?: boolean
  /** True for hints that are needed before signing in. All other stores are encrypted with a key of the session. */
  plain?: boolean
  /** Returns the changes to adopt from the state of another tab. */
  follow?: (mine: State, theirs: Partial<State>) => Partial<State> | undefined
}

/**
 * Opens a store that survives a reload (spec 4). Unless it is `perTab`, it has the same state in every tab. The state consists of data only, so the
 * stored part can replace parts of the fresh state.
 */
export function openStore<State extends object>(
  name: string,
  fresh: State,
  { keep = state => state, perTab = false, plain = false, follow }: StoreOptions<State> = {},
): UseBoundStore<StoreApi<State>> {
  const key = prefix + name
  const storage = plain ? inPlain : forAllTabs
  const store = create<State>()(() => ({ ...fresh, ...storedState<State>(storage, key, perTab) }))
  // A reset, and a state from elsewhere, is not stored again, as other tabs would see it as a change.
  let isSilent = false
  const silently = (work: () => void): void => {
    isSilent = true
    work()
    isSilent = false
  }
  store.subscribe(state => {
    if (isSilent) return
    storeState(storage, key, keep(state))
    if (perTab) storeState(forThisTab, key, keep(state))
  })
  stores.push({
    key,
    perTab,
    plain,
    reset: () => silently(() => store.setState(fresh, true)),
    // Resets the stored part, and leaves the rest unchanged.
    rehydrate: () => silently(() => store.setState({ ...keep(fresh), ...storedState<State>(storage, key, perTab) })),
    follow(stored) {
      const changes = follow?.(store.getState(), parseState<State>(stored) ?? {})
      if (!changes) return
      silently(() => store.setState(changes))
      storeState(forThisTab, key, keep(store.getState()))
    },
  })
  return store
}

function storedState<State>(storage: TextStorage, key: string, perTab: boolean): Partial<State> | undefined {
  try {
    const since = localStorage.getItem(sinceKey)
    const mine = perTab && since !== null && forThisTab.read(key)
    return (mine && parseState<State>(mine, since)) || parseState<State>(storage.read(key) ?? '{}')
  } catch {
    return undefined
  }
}

/** Returns the stored state; undefined if it is of another version or session, or damaged. */
function parseState<State>(text: string, session?: string): Partial<State> | undefined {
  try {
    // Safe: only storeState writes these texts, and the version changes with their format.
    const stored = JSON.parse(text) as Stored<State>
    return stored.version === version && (session === undefined || stored.since === session) ? stored.state : undefined
  } catch {
    return undefined
  }
}

/** Stores a state. If the browser cannot store it, the page continues without. */
function storeState(storage: TextStorage, key: string, state: object): void {
  try {
    storage.write(key, JSON.stringify({ state, version, ...(storage === forThisTab ? { since: sessionStamp() } : {}) }))
  } catch (error) {
    logOnly(`keeping ${key}`)(error)
  }
}

function sessionStamp(): string {
  const since = localStorage.getItem(sinceKey) ?? `${Date.now()} ${Math.random()}`
  localStorage.setItem(sinceKey, since)
  return since
}

/** Opens the user's stored state for the current unit, before any page is shown. Removes the state of other users. */
export async function openStores(browserKey: string): Promise<void> {
  await openEncrypted(browserKey, storage => keysIn(storage).filter(key => !isPlain(key)))
  for (const { plain, rehydrate } of stores) if (!plain) rehydrate()
}

/** Removes all state of a session from the browser (spec 4), also of stores that this page never opened. */
export const resetStores = (): void => clear(() => true)

/** Closes the stores of a session that ended by itself. Encrypted state is kept, as only the same user gets its key again. */
export const suspendStores = (): void => clear((storage, key) => key !== sinceKey && !isEncrypted(storage.getItem(key)))

function clear(isRemoved: (storage: Storage, key: string) => boolean): void {
  closeEncrypted()
  for (const { reset } of stores) reset()
  for (const handler of resetHandlers) handler()
  for (const storage of [localStorage, sessionStorage])
    for (const key of keysIn(storage)) if (isRemoved(storage, key)) storage.removeItem(key)
}

const keysIn = (storage: Storage): string[] => Object.keys(storage).filter(key => key.startsWith(prefix) && !lastingKeys.has(key))

const isPlain = (key: string): boolean => key === sinceKey || stores.some(store => store.plain && store.key === key)

/** Adds a handler that removes other data of a session, outside the stores. */
export function onReset(handler: () => void): void {
  resetHandlers.push(handler)
}

/** Adopts what other tabs store, and calls `onRemoved` for what they remove. */
export function followOtherTabs(onRemoved: (key: string) => void): void {
  let lastUpdate = Promise.resolve()
  window.addEventListener('storage', ({ key, newValue, storageArea }) => {
    if (key === null || storageArea !== localStorage) return
    const store = stores.find(store => store.key === key)
    if (newValue === null) return store && onRemoved(store.key)
    if (store?.plain) return store.rehydrate()
    // The updates are applied in order.
    lastUpdate = lastUpdate.then(async () => {
      const text = await openFromOtherTab(key, newValue)
      if (text === undefined || !store) return
      if (store.perTab) store.follow(text)
      else store.rehydrate()
    })
  })
}
