import { logOnly } from '../log.ts'
import { type Held, isSealed, sealedMark, type Side } from './held.ts'

/** Between the open text in memory and what lies in the storage, as long as the session lives. */
export type Sealer = Awaited<ReturnType<typeof openSealer>>

const algorithm = 'AES-GCM'
const nonceBytes = 12
const sides = ['localStorage', 'sessionStorage'] as const

/** The key is held in a form that cannot be read out again. */
export async function openSealer(base64: string, held: Held) {
  const key = await crypto.subtle.importKey('raw', bytesOf(base64), algorithm, false, ['encrypt', 'decrypt'])
  let writing = Promise.resolve()

  async function open(place: string, written: string): Promise<string | undefined> {
    return isSealed(written) ? openText(key, place, written.slice(sealedMark.length)) : undefined
  }
  return {
    keep(side: Side, place: string, text: string): void {
      writing = writing
        .then(async () => {
          // Only the last of several is sealed.
          if (held.over || held[side].get(place) !== text) return
          const sealed = await sealText(key, place, text)
          if (!held.over) window[side].setItem(place, sealedMark + sealed)
        })
        .catch(logOnly(`keeping ${place}`))
    },
    isWritten: (): Promise<void> => writing,
    async openAll(places: (storage: Storage) => string[]): Promise<void> {
      for (const side of sides)
        for (const place of places(window[side])) {
          const text = await open(place, window[side].getItem(place) ?? '')
          if (held.over) return
          // Written anew meanwhile.
          if (held[side].has(place)) continue
          if (text === undefined) window[side].removeItem(place)
          else held[side].set(place, text)
        }
    },
    async take(place: string, written: string): Promise<string | undefined> {
      const text = await open(place, written)
      if (text === undefined || held.over) return undefined
      held.localStorage.set(place, text)
      return text
    },
  }
}

async function sealText(key: CryptoKey, place: string, text: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const sealed = await crypto.subtle.encrypt(boundTo(place, nonce), key, new TextEncoder().encode(text))
  return lettersOf(nonce) + lettersOf(new Uint8Array(sealed))
}

/** Undefined where it was sealed with another key, for another place, or was spoilt. */
async function openText(key: CryptoKey, place: string, sealed: string): Promise<string | undefined> {
  try {
    const bytes = bytesOf(sealed)
    const nonce = bytes.slice(0, nonceBytes)
    return new TextDecoder().decode(await crypto.subtle.decrypt(boundTo(place, nonce), key, bytes.slice(nonceBytes)))
  } catch {
    return undefined
  }
}

const boundTo = (place: string, iv: Uint8Array<ArrayBuffer>) => ({ name: algorithm, iv, additionalData: new TextEncoder().encode(place) })

const bytesOf = (letters: string) => Uint8Array.from(atob(letters), letter => letter.charCodeAt(0))

/** In base64. A nonce needs no padding, so that what follows can be joined to it. */
function lettersOf(bytes: Uint8Array): string {
  let letters = ''
  for (let from = 0; from < bytes.length; from += mostArguments)
    letters += String.fromCharCode(...bytes.subarray(from, from + mostArguments))
  return btoa(letters)
}

const mostArguments = 8192
