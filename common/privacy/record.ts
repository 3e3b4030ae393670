import type { DataClass } from './classes.ts'

/** Returns a class's name in message ids, which call emails messages. */
export const classInWords = (name: DataClass): string => (name === 'mail' ? 'message' : name)
