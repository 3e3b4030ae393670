import { isDate } from '#common/kit/dates.ts'
import { type BankEntry, type BankFault, type BankFile, bankText, mostEntries, mostProblems, refused } from './entry.ts'

/** Currency codes by their ISO 4217 number. */
const currencies: { [number: string]: string } = {
  '036': 'AUD',
  '124': 'CAD',
  '208': 'DKK',
  '392': 'JPY',
  '484': 'MXN',
  '578': 'NOK',
  '752': 'SEK',
  '756': 'CHF',
  '826': 'GBP',
  '840': 'USD',
  '978': 'EUR',
  '985': 'PLN',
}

/** An account while it is read, from its header on. */
type Account = { id: string; currency: string; code: string; before: number; debits: Total; credits: Total; isSound: boolean }
type Total = { count: number; cents: number }
type Reading = { account?: Account | undefined; entry?: BankEntry | undefined; isEnded: boolean; entries: BankEntry[] }

/**
 * Reads the movements of a Norma 43 file. Records: account header (11), movements (22) with concepts (23) and equivalents (24), sums (33), end (88).
 * The sums and the number of lines must be right.
 */
export function readNorma43(text: string): BankFile {
  const lines = text.replace(/[\s\u001a]+$/, '').split(/\r?\n/)
  const reading: Reading = { isEnded: false, entries: [] }
  const problems: BankFile['problems'] = []
  for (const [index, written] of lines.entries()) {
    const fault = take(reading, written.padEnd(80), index)
    if (fault) problems.push({ fault, line: index + 1 })
    // Without this amount the sums differ for that reason alone.
    if (fault && reading.account) reading.account.isSound = false
    // The lines after a broken one cannot be trusted.
    if (fault === 'broken' || problems.length >= mostProblems) return { entries: [], problems }
    if (reading.entries.length > mostEntries) return refused('many')
  }
  // The last line is missing.
  if (!reading.isEnded) problems.push({ fault: 'broken', line: lines.length })
  return { entries: problems.length > 0 ? [] : reading.entries, problems }
}

const takers: { [record: string]: (reading: Reading, line: string, before: number) => BankFault | undefined } = {
  '11': takeHeader,
  '22': takeMovement,
  '23': takeConcept,
  '24': ({ entry }) => (entry ? undefined : 'broken'),
  '33': takeSums,
  '88': takeEnd,
}

function take(reading: Reading, line: string, before: number): BankFault | undefined {
  const taker = takers[line.slice(0, 2)]
  if (!taker || line.length > 80 || reading.isEnded) return 'broken'
  return taker(reading, line, before)
}

function takeHeader(reading: Reading, line: string): BankFault | undefined {
  const code = line.slice(47, 50)
  const before = signed(line[32], line.slice(33, 47))
  if (reading.account || !/^\d{18}$/.test(line.slice(2, 20))) return 'broken'
  reading.account = {
    id: line.slice(2, 20),
    code,
    currency: currencies[code] ?? '',
    before: before ?? 0,
    debits: { count: 0, cents: 0 },
    credits: { count: 0, cents: 0 },
    isSound: true,
  }
  if (before === undefined) return 'amount'
  return currencies[code] ? undefined : 'currency'
}

function takeMovement(reading: Reading, line: string): BankFault | undefined {
  const { account } = reading
  const cents = centsOf(line.slice(28, 42))
  const sign = line[27]
  if (!account || (sign !== '1' && sign !== '2')) return 'broken'
  if (cents === undefined) return 'amount'
  const total = sign === '1' ? account.debits : account.credits
  total.count += 1
  total.cents += cents
  const bookedOn = dateOf(line.slice(10, 16))
  if (!bookedOn) return 'date'
  const texts = [line.slice(42, 52), line.slice(52, 64), line.slice(64, 80)].map(text => bankText(text)).filter(Boolean)
  reading.entry = {
    account: account.id,
    bookedOn,
    way: sign === '1' ? 'paid' : 'received',
    isReversal: line.slice(22, 24) === corrections,
    cents,
    currency: account.currency,
    name: '',
    reference: texts.join(' · '),
    mark: texts.join(' '),
    page: 1,
  }
  if (cents > 0) reading.entries.push(reading.entry)
  return undefined
}

/** The common concept code of cancelled and corrected movements. */
const corrections = '98'

function takeConcept({ entry }: Reading, line: string): BankFault | undefined {
  if (!entry) return 'broken'
  const concepts = [line.slice(4, 42), line.slice(42, 80)].map(text => bankText(text)).filter(Boolean)
  entry.reference = bankText([entry.reference, ...concepts].filter(Boolean).join(' · '))
  entry.mark = `${entry.mark} ${concepts.join(' ')}`.trim()
  return undefined
}

function takeSums(reading: Reading, line: string): BankFault | undefined {
  const { account } = reading
  if (!account || line.slice(2, 20) !== account.id) return 'broken'
  reading.account = undefined
  reading.entry = undefined
  const { debits, credits, before } = account
  if (!account.isSound) return undefined
  const isRight =
    Number(line.slice(20, 25)) === debits.count &&
    centsOf(line.slice(25, 39)) === debits.cents &&
    Number(line.slice(39, 44)) === credits.count &&
    centsOf(line.slice(44, 58)) === credits.cents &&
    signed(line[58], line.slice(59, 73)) === before + credits.cents - debits.cents
  if (!isRight) return 'sum'
  return line.slice(73, 76) === account.code ? undefined : 'currency'
}

function takeEnd(reading: Reading, line: string, before: number): BankFault | undefined {
  if (reading.account || before === 0 || line.slice(2, 20) !== '9'.repeat(18)) return 'broken'
  reading.isEnded = true
  return /^\d{6}$/.test(line.slice(20, 26)) && Number(line.slice(20, 26)) === before ? undefined : 'sum'
}

const centsOf = (digits: string): number | undefined => (/^\d{14}$/.test(digits) ? Number(digits) : undefined)

function signed(sign: string | undefined, digits: string): number | undefined {
  const cents = centsOf(digits)
  if (cents === undefined || (sign !== '1' && sign !== '2')) return undefined
  // Adding 0 turns -0 into 0.
  return (sign === '1' ? -cents : cents) + 0
}

/** Reads YYMMDD. */
function dateOf(text: string): string | undefined {
  const date = text.replace(/^(\d\d)(\d\d)(\d\d)$/, '20$1-$2-$3')
  return isDate(date) ? date : undefined
}
