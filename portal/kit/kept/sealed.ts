import { logOnly } from '../log.ts'

/** Where a store is written down, by its name. */
export type Shelf = { read(place: string): string | null; write(place: string, text: string): void }

type Side = 'localStorage' | 'sessionStorage'
type Seal = { from: string; key: Promise<CryptoKey>; opened: Promise<void> }

const algorithm = 'AES-GCM'
const nonceBytes = 12
const mark = 'sealed '
const sides = ['localStorage', 'sessionStorage'] as const

/** Only there while the session lives: its key comes from the service, stays in memory, and cannot be read out of it again. */
let seal: Seal | undefined
/** The open text of all that is kept: stores are read at once, while opening and sealing take a moment. */
const texts = { localStorage: new Map<string, string>(), sessionStorage: new Map<string, string>() }
const waiting = new Map<string, () => Promise<void>>()
let writing = Promise.resolve()

/** Keeps text in this storage, encrypted. Without a key it keeps it in memory alone. */
export const sealedIn = (side: Side): Shelf => ({
  read: place => texts[side].get(place) ?? null,
  write(place, text) {
    texts[side].set(place, text)
    const mine = seal
    if (!mine) return
    // Only the last of several is sealed.
    waiting.set(`${side} ${place}`, async () => {
      const sealed = await sealText(mine, place, text)
      if (seal === mine) window[side].setItem(place, sealed)
    })
    writing = writing.then(writeNext)
  },
})

/** Settled when all that was kept until now is in the storage. */
export const isWritten = (): Promise<void> => writing

async function writeNext(): Promise<void> {
  const [next] = waiting
  if (!next) return
  waiting.delete(next[0])
  await next[1]().catch(logOnly('keeping what was typed'))
}

/** Opens all that is kept, as far as it was sealed with this key; what another one sealed, or nobody, is removed. */
export function openSealed(from: string, places: (storage: Storage) => string[]): Promise<void> {
  if (seal?.from === from) return seal.opened
  closeSeal()
  // A browser gives it to secure pages alone; for others nothing is kept.
  if (!isSecureContext) return Promise.resolve()
  const raw = Uint8Array.from(atob(from), letter => letter.charCodeAt(0))
  const mine: Seal = { from, key: crypto.subtle.importKey('raw', raw, algorithm, false, ['encrypt', 'decrypt']), opened: Promise.resolve() }
  seal = mine
  mine.opened = openAll(mine, places).catch(logOnly('opening what was kept'))
  return mine.opened
}

async function openAll(mine: Seal, places: (storage: Storage) => string[]): Promise<void> {
  for (const side of sides)
    for (const place of places(window[side])) {
      const text = await openText(mine, place, window[side].getItem(place) ?? '')
      if (seal !== mine) return
      if (texts[side].has(place)) continue
      if (text === undefined) window[side].removeItem(place)
      else texts[side].set(place, text)
    }
}

/** What another tab has kept; undefined where it cannot be opened here. */
export async function takeSealed(place: string, written: string): Promise<string | undefined> {
  const mine = seal
  const text = mine && (await openText(mine, place, written))
  if (text === undefined || seal !== mine) return undefined
  texts.localStorage.set(place, text)
  return text
}

/** From now on nothing of it can be read; what is not written yet never will be. */
export function closeSeal(): void {
  seal = undefined
  waiting.clear()
  for (const side of sides) texts[side].clear()
}

export const isSealed = (written: string | null): boolean => written?.startsWith(mark) ?? false

/** Bound to its place: what was sealed for one is nothing in another. */
const boundTo = (place: string, nonce: Uint8Array<ArrayBuffer>) => ({
  name: algorithm,
  iv: nonce,
  additionalData: new TextEncoder().encode(place),
})

async function sealText({ key }: Seal, place: string, text: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const sealed = await crypto.subtle.encrypt(boundTo(place, nonce), await key, new TextEncoder().encode(text))
  return `${mark}${lettersOf(nonce)}${lettersOf(new Uint8Array(sealed))}`
}

async function openText({ key }: Seal, place: string, written: string): Promise<string | undefined> {
  if (!isSealed(written)) return undefined
  try {
    const bytes = Uint8Array.from(atob(written.slice(mark.length)), letter => letter.charCodeAt(0))
    const text = await crypto.subtle.decrypt(boundTo(place, bytes.slice(0, nonceBytes)), await key, bytes.slice(nonceBytes))
    return new TextDecoder().decode(text)
  } catch {
    return undefined
  }
}

/** In base64. A nonce has no padding, so that what follows can be joined to it. */
function lettersOf(bytes: Uint8Array): string {
  let letters = ''
  for (let from = 0; from < bytes.length; from += chunk) letters += String.fromCharCode(...bytes.subarray(from, from + chunk))
  return btoa(letters)
}

const chunk = 8190
