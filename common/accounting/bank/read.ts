import { readCamt } from './camt.ts'
import { type BankFile, refused } from './entry.ts'
import { readNorma43 } from './norma43.ts'

/** Reads a bank's file, whose format it detects. */
export function readBankText(text: string): BankFile {
  if (text.trim() === '') return refused('empty')
  if (/^\s*</.test(text)) return readCamt(text)
  return /^11\d{18}/.test(text) ? readNorma43(text) : refused('kind')
}
