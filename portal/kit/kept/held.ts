export type Side = 'localStorage' | 'sessionStorage'

/** The open text of all that is kept, in memory: stores are read at once, while opening and sealing take a moment. Over with its session. */
export type Held = { [side in Side]: Map<string, string> } & { over: boolean }

export const sealedMark = 'sealed '
export const isSealed = (written: string | null): boolean => written?.startsWith(sealedMark) ?? false
