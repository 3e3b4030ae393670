export type StorageName = 'localStorage' | 'sessionStorage'

/** The decrypted texts in memory, by storage and key. Stores read them at once; encryption is asynchronous. */
export type OpenTexts = { [storage in StorageName]: Map<string, string> } & { isClosed: boolean }

/** Marks an encrypted text in the browser's storage. */
export const encryptedPrefix = 'sealed '
export const isEncrypted = (stored: string | null): boolean => stored?.startsWith(encryptedPrefix) ?? false
