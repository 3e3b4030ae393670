import { createHash } from 'node:crypto'
import { readCamt } from '#common/accounting/bank/camt.ts'
import { accountKey, type BankEntry, type BankFile, mostBytes, refused } from '#common/accounting/bank/entry.ts'
import { readNorma43 } from '#common/accounting/bank/norma43.ts'
import { openProposals, type Payer, type Proposal } from '#common/accounting/bank/propose.ts'

/**
 * An entry with its fingerprints. `id` is the same in every file that has the entry. `alike` is the same for all entries of that account, day, direction and
 * amount, also in a file of the other format.
 */
export type KnownEntry = BankEntry & { id: string; alike: string; proposal: Proposal | null }

/** Reads a bank's file and proposes an agency for each entry. It runs in a worker. */
export function readBankFile(bytes: Buffer, payers: Payer[]): Omit<BankFile, 'entries'> & { entries: KnownEntry[] } {
  const file = bytes.length > mostBytes ? refused('large') : fileOf(bytes)
  const propose = openProposals(payers)
  const times = new Map<string, number>()
  const entries = file.entries.map(entry => {
    const alike = [accountKey(entry.account), entry.bookedOn, entry.way, entry.cents, entry.currency].join('|')
    // Each page may come in its own file, so an equal entry of another page is a different one, and is shown as alike.
    const written = `${alike}|${entry.mark}${entry.page === 1 ? '' : `|page ${entry.page}`}`
    // A bank may book the same amount twice on a day. A file has whole days, so the order of the two never changes.
    const time = (times.get(written) ?? 0) + 1
    times.set(written, time)
    return { ...entry, id: fingerprint(`${written}|${time}`), alike: fingerprint(alike), proposal: propose(entry) }
  })
  return { ...file, entries }
}

function fileOf(bytes: Buffer): BankFile {
  const text = decodeBankFile(bytes)
  return text === undefined ? refused('broken') : readBankText(text)
}

/** Returns a UUID of version 8, whose bits are a digest. */
function fingerprint(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

const western = new Set(['iso-8859-1', 'iso-8859-15', 'windows-1252', 'us-ascii'])
const declared = /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w-]{1,40})["']/

/** Decodes a bank's file by its XML declaration, else as UTF-8, else as Windows-1252, which banks still use. */
function decodeBankFile(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 300).toString('latin1').replace(/^ï»¿/, '')
  const encoding = declared.exec(head)?.[1]?.toLowerCase() ?? 'utf-8'
  if (western.has(encoding)) return new TextDecoder(encoding).decode(bytes)
  if (encoding !== 'utf-8') return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return /^\s*</.test(head) ? undefined : new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Reads a bank's file, whose format it detects. */
export function readBankText(text: string): BankFile {
  if (text.trim() === '') return refused('empty')
  if (/^\s*</.test(text)) return readCamt(text)
  return /^11\d{18}/.test(text) ? readNorma43(text) : refused('kind')
}
