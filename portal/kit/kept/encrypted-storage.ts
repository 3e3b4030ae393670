import { logOnly } from '../log.ts'
import type { Encryption } from './encryption.ts'
import type { OpenTexts, StorageName } from './open-texts.ts'

/** A storage of texts by key. */
export type TextStorage = { read(key: string): string | null; write(key: string, text: string): void }

const noTexts = (): OpenTexts => ({ localStorage: new Map(), sessionStorage: new Map(), isClosed: false })

let texts = noTexts()
/** Defined during a session, as the service sends the key. The module is part of the chunk of all pages behind the sign-in. */
let encryption: Promise<Encryption> | undefined
let currentKey: string | undefined
let opened: Promise<void> | undefined

/** Returns a storage that encrypts its texts. Without a session it stores them in memory only. */
export const encryptedIn = (storage: StorageName): TextStorage => ({
  read: key => texts[storage].get(key) ?? null,
  write(key, text) {
    // Most texts are unchanged when a page loads.
    if (texts[storage].get(key) === text) return
    texts[storage].set(key, text)
    void encryption?.then(encryption => encryption.write(storage, key, text))
  },
})

/** Resolves when all texts written so far are in the browser's storage. */
export const whenWritten = async (): Promise<void> => (await encryption)?.whenWritten()

/** Decrypts the stored texts with the session's key. Removes texts encrypted with another. */
export async function openEncrypted(sessionKey: string, keysOf: (storage: Storage) => string[]): Promise<void> {
  if (currentKey === sessionKey) return opened
  closeEncrypted()
  // Browsers encrypt only on secure pages; on others nothing is stored.
  if (!isSecureContext) return
  const sessionTexts = texts
  currentKey = sessionKey
  encryption = import('./encryption.ts').then(({ openEncryption }) => openEncryption(sessionKey, sessionTexts))
  opened = encryption.then(encryption => encryption.openAll(keysOf)).catch(logOnly('opening the stored texts'))
  return opened
}

/** Decrypts a text that another tab has stored. Returns undefined if that is impossible here. */
export const openFromOtherTab = async (key: string, stored: string): Promise<string | undefined> =>
  (await encryption)?.openFromOtherTab(key, stored)

/** Forgets the texts and the key. Texts that are not written yet are lost. */
export function closeEncrypted(): void {
  texts.isClosed = true
  texts = noTexts()
  encryption = currentKey = opened = undefined
}
