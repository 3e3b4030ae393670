import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Browser, openBrowser } from './testing.ts'

let browser: Browser
beforeEach(() => {
  browser = openBrowser()
})
afterEach(() => browser.close())

/** Returns a key like those that the service gives to a session: AES in base64. */
const keyOf = (letter: string): string => Buffer.alloc(32, letter).toString('base64')
const mine = keyOf('a')

type Note = { text: string; other: string }
const fresh: Note = { text: '', other: '' }

/** Reloads the page: new modules over the existing storage. */
async function load() {
  vi.resetModules()
  const stores = await import('./stores.ts')
  const { whenWritten } = await import('./kept/encrypted-storage.ts')
  return { ...stores, whenWritten }
}

test('an encrypted store is unchanged by a reload, with no plain text in the storage', { tags: 'S4.2' }, async () => {
  const before = await load()
  const note = before.openStore('note', fresh)
  await before.openStores(mine)
  note.setState({ text: 'Ana García' })
  await before.whenWritten()
  expect(browser.localStorage.getItem('portolan.note')).toMatch(/^sealed /)
  expect(JSON.stringify(browser.localStorage)).not.toContain('Ana')

  const after = await load()
  const again = after.openStore('note', fresh)
  expect(again.getState()).toEqual(fresh)
  await after.openStores(mine)
  expect(again.getState()).toEqual({ text: 'Ana García', other: '' })
})

test('an encrypted store is written once the browser is idle, or when the page is left', async () => {
  const waiting: (() => void)[] = []
  Object.assign(browser.tab.window, { requestIdleCallback: (work: () => void) => waiting.push(work) })
  vi.stubGlobal('requestIdleCallback', (work: () => void) => waiting.push(work))
  const written = () => new Promise<void>(resolve => browser.anotherTab().window.addEventListener('storage', () => resolve()))
  const { openStore, openStores } = await load()
  const note = openStore('note', fresh)
  await openStores(mine)
  note.setState({ text: 'Ana' })
  note.setState({ text: 'Ana García' })
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  expect(browser.localStorage.getItem('portolan.note')).toBeNull()
  const idle = written()
  waiting[0]?.()
  await idle
  const first = browser.localStorage.getItem('portolan.note')
  const left = written()
  note.setState({ text: 'Ana García López' })
  await vi.waitFor(() => expect(waiting).toHaveLength(2))
  browser.tab.window.dispatchEvent(new Event('beforeunload'))
  await left
  expect(browser.localStorage.getItem('portolan.note')).not.toBe(first)
  vi.unstubAllGlobals()
})

test('an unchanged state is not encrypted again', async () => {
  const state = { text: 'Ana García', other: '' }
  const before = await load()
  const note = before.openStore('note', fresh)
  await before.openStores(mine)
  note.setState(state)
  await before.whenWritten()
  const stored = browser.localStorage.getItem('portolan.note')

  const after = await load()
  const again = after.openStore('note', fresh)
  await after.openStores(mine)
  again.setState(state)
  await after.whenWritten()
  expect(browser.localStorage.getItem('portolan.note')).toBe(stored)
  again.setState({ text: 'Ana García López' })
  await after.whenWritten()
  expect(browser.localStorage.getItem('portolan.note')).not.toBe(stored)
})

test('a plain store is read at once, and writes only its storable part', async () => {
  const before = await load()
  before.openStore('hint', fresh, { plain: true, keep: ({ text }) => ({ text }) }).setState({ text: 'a@b.example', other: 'secret' })
  expect(JSON.stringify(browser.localStorage)).not.toContain('secret')
  const after = await load()
  expect(after.openStore('hint', fresh, { plain: true }).getState()).toEqual({ text: 'a@b.example', other: '' })
})

test('a text that an earlier version stored openly is removed', async () => {
  browser.localStorage.setItem('portolan.note', JSON.stringify({ version: 1, state: { text: 'Ana García' } }))
  const { openStore, openStores, whenWritten } = await load()
  const note = openStore('note', fresh)
  await openStores(mine)
  await whenWritten()
  expect(note.getState()).toEqual(fresh)
  expect(JSON.stringify(browser.localStorage)).not.toContain('Ana')
})

test('another user or unit cannot read encrypted stores, and removes them', async () => {
  const before = await load()
  const note = before.openStore('note', fresh)
  await before.openStores(mine)
  note.setState({ text: 'Ana' })
  await before.whenWritten()

  const other = await load()
  const theirs = other.openStore('note', fresh)
  await other.openStores(keyOf('b'))
  expect(theirs.getState()).toEqual(fresh)
  expect(browser.localStorage.getItem('portolan.note')).toBeNull()
})

test('a change of unit in the open page empties the previous unit’s stores', async () => {
  const { openStore, openStores, whenWritten } = await load()
  const note = openStore('note', fresh)
  await openStores(mine)
  note.setState({ text: 'Ana' })
  await whenWritten()
  await openStores(keyOf('b'))
  expect(note.getState()).toEqual(fresh)
  note.setState({ text: 'Leo' })
  await whenWritten()
  const after = await load()
  const again = after.openStore('note', fresh)
  await after.openStores(keyOf('b'))
  expect(again.getState().text).toBe('Leo')
})

test('a text that was moved to another store cannot be decrypted there', async () => {
  const before = await load()
  const note = before.openStore('note', fresh)
  await before.openStores(mine)
  note.setState({ text: 'Ana' })
  await before.whenWritten()
  browser.localStorage.setItem('portolan.moved', browser.localStorage.getItem('portolan.note') ?? '')
  const after = await load()
  const moved = after.openStore('moved', fresh)
  await after.openStores(mine)
  expect(moved.getState()).toEqual(fresh)
  expect(browser.localStorage.getItem('portolan.moved')).toBeNull()
})

test.each(['not json', '{"state":{"text":"old"},"version":0}', '[]', 'null'])('a plain store begins fresh over %s', async written => {
  browser.localStorage.setItem('portolan.hint', written)
  const { openStore } = await load()
  expect(openStore('hint', fresh, { plain: true }).getState()).toEqual(fresh)
})

test('a sign-out resets every store and removes every key of a session', { tags: 'S4.14' }, async () => {
  const { openStore, openStores, resetStores, onReset, whenWritten } = await load()
  const note = openStore('note', fresh, { perTab: true })
  const hint = openStore('hint', fresh, { plain: true })
  let resets = 0
  onReset(() => resets++)
  await openStores(mine)
  note.setState({ text: 'Ana' })
  hint.setState({ text: 'a@b.example' })
  browser.localStorage.setItem('portolan.never-opened', 'x')
  browser.localStorage.setItem('portolan.appearance', '{"theme":"dark"}')
  browser.localStorage.setItem('elsewhere', 'kept')
  await whenWritten()
  resetStores()
  expect([note.getState(), hint.getState(), resets]).toEqual([fresh, fresh, 1])
  expect(Object.keys(browser.localStorage).sort()).toEqual(['elsewhere', 'portolan.appearance'])
  expect(Object.keys(browser.tab.window.sessionStorage)).toEqual([])
})

test('a session that ended by itself leaves only encrypted texts, for the same key', async () => {
  const { openStore, openStores, suspendStores, whenWritten } = await load()
  const note = openStore('note', fresh)
  const hint = openStore('hint', fresh, { plain: true })
  await openStores(mine)
  note.setState({ text: 'Ana' })
  hint.setState({ text: 'a@b.example' })
  await whenWritten()
  suspendStores()
  expect([note.getState(), hint.getState()]).toEqual([fresh, fresh])
  expect(Object.keys(browser.localStorage)).toEqual(['portolan.note'])
  await openStores(mine)
  expect(note.getState().text).toBe('Ana')
})

test('a session that ended by itself leaves each tab its own text', async () => {
  const { here, there, tab } = await twoTabs({ perTab: true })
  here.note.setState({ text: 'here' })
  await here.whenWritten()
  tab.run(() => there.note.setState({ text: 'there' }))
  await tab.run(there.whenWritten)
  here.suspendStores()
  await here.openStores(mine)
  expect(here.note.getState().text).toBe('here')
})

test('a write under way when the same session opens again is kept', async () => {
  const { openStore, openStores, whenWritten } = await load()
  const note = openStore('note', fresh)
  await openStores(mine)
  note.setState({ text: 'Ana' })
  await openStores(mine)
  await whenWritten()
  expect(note.getState().text).toBe('Ana')
  expect(browser.localStorage.getItem('portolan.note')).toMatch(/^sealed /)
})

test('a text that is replaced before its turn is not written', async () => {
  const { openStore, openStores, whenWritten } = await load()
  const note = openStore('note', fresh)
  await openStores(mine)
  const encrypted = vi.spyOn(crypto.subtle, 'encrypt')
  for (const text of ['A', 'An', 'Ana']) note.setState({ text })
  await whenWritten()
  expect(encrypted).toHaveBeenCalledTimes(1)
})

test('a session that was still opening at sign-out removes nothing of the next one', async () => {
  const before = await load()
  const stores = ['first', 'second'].map(name => before.openStore(name, fresh))
  await before.openStores(mine)
  for (const store of stores) store.setState({ text: 'Ana' })
  await before.whenWritten()
  const after = await load()
  const second = after.openStore('second', fresh)
  const hold = holdDecryption()
  const opening = after.openStores(mine)
  await hold.begun
  after.resetStores()
  await after.openStores(keyOf('b'))
  second.setState({ text: 'Leo' })
  await after.whenWritten()
  hold.release()
  await opening
  expect(browser.localStorage.getItem('portolan.second')).toMatch(/^sealed /)
})

/** Delays the first decryption. */
function holdDecryption() {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const decrypt = crypto.subtle.decrypt.bind(crypto.subtle)
  let isFirst = true
  vi.spyOn(crypto.subtle, 'decrypt').mockImplementation(async (...given) => {
    const waits = isFirst
    isFirst = false
    begun.resolve()
    if (waits) await released.promise
    return decrypt(...given)
  })
  return { begun: begun.promise, release: released.resolve }
}

test('a write under way at sign-out never reaches the storage', async () => {
  const { openStore, openStores, resetStores, whenWritten } = await load()
  const note = openStore('note', fresh)
  await openStores(mine)
  note.setState({ text: 'Ana' })
  const written = whenWritten()
  resetStores()
  await written
  expect(browser.localStorage.getItem('portolan.note')).toBeNull()
})

test('a text that is being encrypted at sign-out never reaches the storage', async () => {
  const { openStore, openStores, resetStores, whenWritten } = await load()
  const note = openStore('note', fresh)
  await openStores(mine)
  const encrypt = crypto.subtle.encrypt.bind(crypto.subtle)
  vi.spyOn(crypto.subtle, 'encrypt').mockImplementation((...given) => {
    resetStores()
    return encrypt(...given)
  })
  note.setState({ text: 'Ana' })
  await whenWritten()
  expect(browser.localStorage.getItem('portolan.note')).toBeNull()
})

test('a write after sign-out stays in memory alone', async () => {
  const { openStore, openStores, resetStores, whenWritten } = await load()
  const note = openStore('note', fresh)
  await openStores(mine)
  resetStores()
  note.setState({ text: 'late' })
  await whenWritten()
  expect(note.getState().text).toBe('late')
  expect(browser.localStorage.getItem('portolan.note')).toBeNull()
})

test('a store opened while stored texts are being read keeps the newer text', async () => {
  const before = await load()
  const note = before.openStore('note', fresh)
  await before.openStores(mine)
  note.setState({ text: 'old' })
  await before.whenWritten()
  const after = await load()
  const again = after.openStore('note', fresh)
  const reading = after.openStores(mine)
  again.setState({ text: 'new' })
  await reading
  await after.whenWritten()
  expect(again.getState().text).toBe('new')
})

test('a full storage is logged, and the page continues with its state in memory', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue()
  const { openStore, openStores, whenWritten } = await load()
  const note = openStore('note', fresh)
  const hint = openStore('hint', fresh, { plain: true })
  await openStores(mine)
  Object.assign(browser.localStorage, {
    setItem() {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  note.setState({ text: 'Ana' })
  hint.setState({ text: 'b' })
  await whenWritten()
  expect([note.getState().text, hint.getState().text]).toEqual(['Ana', 'b'])
  expect(warned.mock.calls.flat().map(String)).toEqual([
    expect.stringContaining('keeping portolan.hint'),
    expect.stringContaining('keeping portolan.note'),
  ])
})

test('a page that is not secure keeps encrypted stores in memory only', async () => {
  Object.assign(browser.tab.window, { isSecureContext: false })
  const { openStore, openStores, whenWritten } = await load()
  const note = openStore('note', fresh)
  await openStores(mine)
  note.setState({ text: 'Ana' })
  await whenWritten()
  expect(note.getState().text).toBe('Ana')
  expect(Object.keys(browser.localStorage)).toEqual([])
})

/** Two tabs of the same session, each with a store of the same name. */
async function twoTabs(more: { perTab?: boolean; follow?: (mine: Note, theirs: Partial<Note>) => Partial<Note> | undefined } = {}) {
  const gone: string[] = []
  const open = async () => {
    const page = await load()
    const note = page.openStore('note', fresh, more)
    const hint = page.openStore('hint', fresh, { plain: true })
    page.followOtherTabs(place => gone.push(place))
    await page.openStores(mine)
    return { ...page, note, hint }
  }
  const here = await open()
  const tab = browser.anotherTab()
  const there = await tab.run(open)
  /** Resolves when the store in this tab has changed. */
  const heard = () => new Promise<Note>(resolve => here.note.subscribe(resolve))
  return { here, there, tab, gone, heard }
}

test('an encrypted store adopts what another tab of the session writes', async () => {
  const { here, there, tab, heard } = await twoTabs()
  const changed = heard()
  tab.run(() => there.note.setState({ text: 'from there' }))
  expect((await changed).text).toBe('from there')
  expect(here.note.getState().text).toBe('from there')
})

test('a plain store adopts at once what another tab writes', async () => {
  const { here, there, tab } = await twoTabs()
  tab.run(() => there.hint.setState({ text: 'from there' }))
  expect(here.hint.getState().text).toBe('from there')
})

test('a tab does not write again the state that it adopted from another', async () => {
  const { here, there, tab, heard } = await twoTabs()
  const changed = heard()
  tab.run(() => there.note.setState({ text: 'from there' }))
  await changed
  const written = browser.localStorage.getItem('portolan.note')
  await here.whenWritten()
  expect(browser.localStorage.getItem('portolan.note')).toBe(written)
})

test('a text with another key from another tab is not adopted', async () => {
  const { here, there, tab, heard } = await twoTabs()
  await tab.run(() => there.openStores(keyOf('b')))
  const changed = heard()
  tab.run(() => there.note.setState({ text: 'of another unit' }))
  await tab.run(there.whenWritten)
  await tab.run(() => there.openStores(mine))
  tab.run(() => there.note.setState({ text: 'of this unit' }))
  expect((await changed).text).toBe('of this unit')
  expect(here.note.getState().text).toBe('of this unit')
})

test('texts of another tab are adopted in order, however long decryption takes', async () => {
  const { here, there, tab } = await twoTabs()
  const hold = holdDecryption()
  const seen: string[] = []
  const isDone = new Promise<void>(resolve =>
    here.note.subscribe(({ text }) => {
      seen.push(text)
      if (seen.length === 2) resolve()
    }),
  )
  tab.run(() => there.note.setState({ text: 'first' }))
  await tab.run(there.whenWritten)
  await hold.begun
  tab.run(() => there.note.setState({ text: 'second' }))
  await tab.run(there.whenWritten)
  hold.release()
  await isDone
  expect(seen).toEqual(['first', 'second'])
})

test('a text of another tab that is decrypted after a sign-out is not adopted', async () => {
  const { here, there, tab } = await twoTabs({ perTab: true, follow: (_, theirs) => theirs })
  const hold = holdDecryption()
  tab.run(() => there.note.setState({ text: 'late' }))
  await tab.run(there.whenWritten)
  await hold.begun
  here.resetStores()
  await here.openStores(keyOf('b'))
  const changed = new Promise<Note>(resolve => here.note.subscribe(resolve))
  hold.release()
  await tab.run(() => there.openStores(keyOf('b')))
  tab.run(() => there.note.setState({ text: 'of the next session' }))
  expect((await changed).text).toBe('of the next session')
})

test('changes of a single tab’s storage are not followed', async () => {
  const { here, gone } = await twoTabs()
  const { sessionStorage } = browser.tab.window
  browser.tab.window.dispatchEvent(
    Object.assign(new Event('storage'), { key: 'portolan.hint', newValue: null, storageArea: sessionStorage }),
  )
  expect([gone, here.hint.getState()]).toEqual([[], fresh])
})

test('a sign-out in another tab is announced with the key that it removed', async () => {
  const { there, tab, gone } = await twoTabs()
  tab.run(() => there.hint.setState({ text: 'signed in' }))
  tab.run(() => there.resetStores())
  expect(gone).toEqual(['portolan.hint'])
})

test('each tab keeps its own text over a reload, and a new tab begins with the last', async () => {
  const { here, there, tab } = await twoTabs({ perTab: true })
  here.note.setState({ text: 'here' })
  await here.whenWritten()
  tab.run(() => there.note.setState({ text: 'there' }))
  await tab.run(there.whenWritten)
  expect(here.note.getState().text).toBe('here')
  const reload = async () => {
    const page = await load()
    const note = page.openStore('note', fresh, { perTab: true })
    await page.openStores(mine)
    return note.getState().text
  }
  expect(await reload()).toBe('here')
  expect(await tab.run(reload)).toBe('there')
  expect(await browser.anotherTab().run(reload)).toBe('there')
})

test('a tab with its own state adopts from others only what its rule allows', async () => {
  const { here, there, tab, heard } = await twoTabs({ perTab: true, follow: (_, { other }) => (other ? { other } : undefined) })
  here.note.setState({ text: 'mine' })
  const changed = heard()
  tab.run(() => there.note.setState({ text: 'theirs' }))
  tab.run(() => there.note.setState({ text: 'theirs', other: 'sold' }))
  await changed
  expect(here.note.getState()).toEqual({ text: 'mine', other: 'sold' })
  await here.whenWritten()
  const page = await load()
  const note = page.openStore('note', fresh, { perTab: true })
  await page.openStores(mine)
  expect(note.getState()).toEqual({ text: 'mine', other: 'sold' })
})

test('a tab’s own state from an earlier session is not read', async () => {
  const first = await load()
  const note = first.openStore('note', fresh, { perTab: true })
  await first.openStores(mine)
  note.setState({ text: 'mine' })
  await first.whenWritten()
  // Another tab signed out, and a user signed in again, so the session's stamp has changed.
  browser.localStorage.setItem('portolan.since', 'another session')
  browser.localStorage.removeItem('portolan.note')
  const after = await load()
  const again = after.openStore('note', fresh, { perTab: true })
  await after.openStores(mine)
  expect(again.getState()).toEqual(fresh)
})
