import type { DataClass } from './classes.ts'

/** The names of classes in messages: emails are messages in the words of the trade. */
export const classInWords = (name: DataClass): string => (name === 'mail' ? 'message' : name)
