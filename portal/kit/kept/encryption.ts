import { logOnly } from '../log.ts'
import { encryptedPrefix, isEncrypted, type OpenTexts, type StorageName } from './open-texts.ts'

/** Encrypts texts into the browser's storage and decrypts them from there, during one session. */
export type Encryption = Awaited<ReturnType<typeof openEncryption>>

const algorithm = 'AES-GCM'
const nonceBytes = 12
const storageNames = ['localStorage', 'sessionStorage'] as const

/** Imports the session's key so that it cannot be exported again. */
export async function openEncryption(base64: string, texts: OpenTexts) {
  const key = await crypto.subtle.importKey('raw', bytesOf(base64), algorithm, false, ['encrypt', 'decrypt'])
  let writing = Promise.resolve()
  /** The last text of each name. */
  const unwritten = new Map<string, () => Promise<void>>()

  async function open(name: string, stored: string): Promise<string | undefined> {
    return isEncrypted(stored) ? decrypt(key, name, stored.slice(encryptedPrefix.length)) : undefined
  }
  function writeAll(): Promise<void> {
    for (const write of unwritten.values()) writing = writing.then(write)
    unwritten.clear()
    return writing
  }
  // The page stays until the next one responds, which is long enough to encrypt.
  window.addEventListener('beforeunload', () => void writeAll())
  return {
    write(storage: StorageName, name: string, text: string): void {
      if (unwritten.size === 0) whenIdle(() => void writeAll())
      unwritten.set(`${storage} ${name}`, async () => {
        // Skips a text that a later one has replaced.
        if (texts.isClosed || texts[storage].get(name) !== text) return
        try {
          const encrypted = await encrypt(key, name, text)
          if (!texts.isClosed) window[storage].setItem(name, encryptedPrefix + encrypted)
        } catch (error) {
          logOnly(`keeping ${name}`)(error)
        }
      })
    },
    whenWritten: writeAll,
    /** Decrypts all at once: each decryption waits for the browser's threads, and no page is shown before. */
    async openAll(namesIn: (storage: Storage) => string[]): Promise<void> {
      const openOne = async (storage: StorageName, name: string): Promise<void> => {
        const text = await open(name, window[storage].getItem(name) ?? '')
        // A text that was written meanwhile is newer.
        if (texts.isClosed || texts[storage].has(name)) return
        if (text === undefined) window[storage].removeItem(name)
        else texts[storage].set(name, text)
      }
      await Promise.all(storageNames.flatMap(storage => namesIn(window[storage]).map(name => openOne(storage, name))))
    },
    async openFromOtherTab(name: string, stored: string): Promise<string | undefined> {
      const text = await open(name, stored)
      if (text === undefined || texts.isClosed) return undefined
      texts.localStorage.set(name, text)
      return text
    },
  }
}

const latestMs = 200

/**
 * Postpones work until the browser is idle: with two hundred travellers, encryption takes a slow device longer than all other work of a key press.
 */
const whenIdle = (work: () => void): void =>
  // Safari has no idle callbacks.
  'requestIdleCallback' in window ? void requestIdleCallback(work, { timeout: latestMs }) : queueMicrotask(work)

async function encrypt(key: CryptoKey, name: string, text: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const encrypted = await crypto.subtle.encrypt(boundTo(name, nonce), key, new TextEncoder().encode(text))
  return base64Of(nonce) + base64Of(new Uint8Array(encrypted))
}

/** Returns undefined if the text was encrypted with another key or under another name, or is damaged. */
async function decrypt(key: CryptoKey, name: string, encrypted: string): Promise<string | undefined> {
  try {
    const bytes = bytesOf(encrypted)
    const nonce = bytes.slice(0, nonceBytes)
    return new TextDecoder().decode(await crypto.subtle.decrypt(boundTo(name, nonce), key, bytes.slice(nonceBytes)))
  } catch {
    return undefined
  }
}

/** Binds a text to its name, so that it cannot be decrypted under another one. */
const boundTo = (name: string, iv: Uint8Array<ArrayBuffer>) => ({ name: algorithm, iv, additionalData: new TextEncoder().encode(name) })

// Older browsers lack the base64 methods. Converting letter by letter takes a slow device tens of milliseconds for a page's stores.
const native: Pick<typeof Uint8Array, 'from'> & { fromBase64?: (base64: string) => Uint8Array<ArrayBuffer> } = Uint8Array

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  native.fromBase64?.(base64) ?? native.from(atob(base64), letter => letter.charCodeAt(0))

/** Encodes bytes in base64. A nonce needs no padding, so the encrypted text can follow it directly. */
function base64Of(bytes: Uint8Array & { toBase64?: () => string }): string {
  if (bytes.toBase64) return bytes.toBase64()
  let letters = ''
  for (let from = 0; from < bytes.length; from += maxArguments) letters += String.fromCharCode(...bytes.subarray(from, from + maxArguments))
  return btoa(letters)
}

const maxArguments = 8192
