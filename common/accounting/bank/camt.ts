import { isDate } from '#common/kit/dates.ts'
import { type Element, treeOf } from '#common/kit/xml/xml.ts'
import { type BankEntry, type BankFault, type BankFile, bankText, mostEntries, mostProblems, refused } from './entry.ts'

const namespace = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(?:0[2-9]|1\d)$/

/** Reads the entries of a bank's statement in XML (camt.053, since version 2). Only booked entries count. */
export function readCamt(text: string): BankFile {
  const root = treeOf(text)
  if (typeof root === 'string') return refused(root)
  const prefix = root.name.slice(0, Math.max(0, root.name.indexOf(':') + 1))
  const space = root.attributes.get(prefix ? `xmlns:${prefix.slice(0, -1)}` : 'xmlns') ?? ''
  if (root.name !== `${prefix}Document` || !namespace.test(space)) return refused('kind')
  const find = finder(prefix)
  const message = find(root, 'BkToCstmrStmt')[0]
  const statements = message ? find(message, 'Stmt') : []
  if (statements.length === 0) return refused('broken')
  const file: BankFile = { entries: [], problems: [] }
  let place = 0
  for (const statement of statements) {
    const account = accountOf(statement, find)
    if (account.id === '') return refused('broken')
    const read: Movement[] = []
    for (const entry of find(statement, 'Ntry')) {
      place += 1
      if (place > mostEntries) return refused('many')
      const movement = movementOf(entry, account, find)
      if (typeof movement !== 'string') {
        read.push(movement)
        file.entries.push(...movement.entries)
      } else file.problems.push({ fault: movement, entry: place })
      if (file.problems.length >= mostProblems) return { ...file, entries: [] }
    }
    // Compares sums only if all entries could be read, as otherwise they differ for that reason.
    if (file.problems.length === 0 && !addsUp(statement, read, find)) return refused('sum')
  }
  if (file.problems.length > 0) return { ...file, entries: [] }
  return file.entries.length > mostEntries ? refused('many') : file
}

type Find = (element: Element, ...path: string[]) => Element[]

/** Finds the elements at a path of names in the document's own namespace. */
const finder =
  (prefix: string): Find =>
  (element, ...path) =>
    path.reduce((found, name) => found.flatMap(each => each.children.filter(child => child.name === prefix + name)), [element])

const textAt = (find: Find, element: Element, ...path: string[]): string => find(element, ...path)[0]?.text.trim() ?? ''

/** An account, and the page of its statement (from 1), which a bank may send in several files. */
type Account = { id: string; currency: string; page: number }

const accountOf = (statement: Element, find: Find): Account => ({
  id: bankText(textAt(find, statement, 'Acct', 'Id', 'IBAN') || textAt(find, statement, 'Acct', 'Id', 'Othr', 'Id'), 60),
  currency: textAt(find, statement, 'Acct', 'Ccy'),
  page: pageOf(statement, find),
})

const pageOf = (statement: Element, find: Find): number => Number(textAt(find, statement, 'StmtPgntn', 'PgNb') || '1')

/** An entry of a statement: signed, as it moves the balance; and its payments, if it is booked. */
type Movement = { cents: number; isBooked: boolean; entries: BankEntry[] }

type Money = { cents: number; currency: string }

function movementOf(entry: Element, account: Account, find: Find): Movement | BankFault {
  const money = moneyOf(find(entry, 'Amt')[0])
  if (typeof money === 'string') return money
  if (account.currency !== '' && money.currency !== account.currency) return 'currency'
  const way = ways.get(textAt(find, entry, 'CdtDbtInd'))
  const status = textAt(find, entry, 'Sts', 'Cd') || textAt(find, entry, 'Sts')
  const reversal = textAt(find, entry, 'RvslInd')
  if (!way || status === '' || !/^(?:|true|false|0|1)$/.test(reversal)) return 'broken'
  const cents = way === 'received' ? money.cents : -money.cents
  if (status !== 'BOOK') return { cents, isBooked: false, entries: [] }
  const bookedOn = (textAt(find, entry, 'BookgDt', 'Dt') || textAt(find, entry, 'BookgDt', 'DtTm')).slice(0, 10)
  if (!isDate(bookedOn)) return 'date'
  const fixed = { account: account.id, bookedOn, way, isReversal: reversal === 'true' || reversal === '1', currency: money.currency }
  const parts = partsOf(entry, money, way, find)
  const entries = parts.map(part => entryOf({ ...fixed, ...part }, account.page)).filter(({ cents }) => cents > 0)
  return { cents, isBooked: true, entries }
}

const ways = new Map<string, BankEntry['way']>([
  ['CRDT', 'received'],
  ['DBIT', 'paid'],
])

function moneyOf(element: Element | undefined): Money | 'amount' | 'currency' {
  const currency = element?.attributes.get('Ccy') ?? ''
  if (!element || !/^[A-Z]{3}$/.test(currency)) return 'currency'
  const cents = readAmount(element.text)
  return cents === undefined ? 'amount' : { cents, currency }
}

type Part = Pick<BankEntry, 'cents' | 'name' | 'reference' | 'mark'> & { isReferenced: boolean }

/** An entry without a reference of its own is distinguished from an equal one by its page. */
const entryOf = ({ isReferenced, ...entry }: Omit<BankEntry, 'page'> & Part, page: number): BankEntry => ({
  ...entry,
  page: isReferenced ? 1 : page,
})

/** Returns an entry's payments: several for a batch whose details name amounts in its direction that add up to it, else one. */
function partsOf(entry: Element, money: Money, way: BankEntry['way'], find: Find): Part[] {
  const details = find(entry, 'NtryDtls', 'TxDtls')
  const cents = details.map(detail => centsOf(detail, money.currency, way, find))
  const sum = cents.reduce<number>((sum, each) => sum + (each ?? Number.NaN), 0)
  const own = bankText(textAt(find, entry, 'AcctSvcrRef'))
  if (details.length > 1 && sum === money.cents)
    return details.map((detail, index) => partOf(entry, [detail], { own, cents: cents[index] ?? 0, isBatch: true }, find))
  return [partOf(entry, details, { own, cents: money.cents, isBatch: false }, find)]
}

function centsOf(detail: Element, currency: string, way: BankEntry['way'], find: Find): number | undefined {
  const money = moneyOf(find(detail, 'Amt')[0] ?? find(detail, 'AmtDtls', 'TxAmt', 'Amt')[0])
  const indicator = textAt(find, detail, 'CdtDbtInd')
  if (typeof money === 'string' || money.currency !== currency || (indicator !== '' && ways.get(indicator) !== way)) return undefined
  return money.cents
}

function partOf(entry: Element, details: Element[], known: { own: string; cents: number; isBatch: boolean }, find: Find): Part {
  const texts = (...path: string[]) => details.flatMap(detail => find(detail, ...path)).map(({ text }) => bankText(text))
  const parties = ['Dbtr', 'Cdtr'].flatMap(party => [...texts('RltdPties', party, 'Nm'), ...texts('RltdPties', party, 'Pty', 'Nm')])
  const references = [
    ...texts('RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
    ...texts('RmtInf', 'Ustrd'),
    ...texts('Refs', 'EndToEndId'),
    ...find(entry, 'AddtlNtryInf').map(({ text }) => bankText(text)),
  ]
  const reference = bankText([...new Set(references)].filter(Boolean).join(' · '))
  const name = bankText([...new Set(parties)].filter(Boolean).join(' · '), 140)
  const own = texts('Refs', 'AcctSvcrRef')
  const bank = known.isBatch ? [known.own, ...own, ...texts('Refs', 'EndToEndId')] : [known.own || own.join(' ')]
  // A batch's reference is that of all its parts.
  const isReferenced = own.some(Boolean) || (known.own !== '' && !known.isBatch)
  const mark = bank.filter(Boolean).join(' ') || `${reference} ${name}`
  return { cents: known.cents, name, reference, mark, isReferenced }
}

/** True unless the statement's own balances or totals differ from its entries. A lost part of the file causes that. */
function addsUp(statement: Element, read: readonly Movement[], find: Find): boolean {
  const sumOf = (movements: readonly Movement[]) => movements.reduce((sum, { cents }) => sum + cents, 0)
  const opening = balanceOf(statement, 'OPBD', find) ?? balanceOf(statement, 'PRCD', find)
  const closing = balanceOf(statement, 'CLBD', find)
  const isWhole = textAt(find, statement, 'StmtPgntn', 'LastPgInd') !== 'false' && pageOf(statement, find) === 1
  const booked = read.filter(({ isBooked }) => isBooked)
  if (isWhole && opening !== undefined && closing !== undefined && opening + sumOf(booked) !== closing) return false
  if (booked.length < read.length) return true
  const total = (name: string) => readAmount(textAt(find, statement, 'TxsSummry', name, 'Sum'))
  const [credits, debits] = [total('TtlCdtNtries'), total('TtlDbtNtries')]
  return (
    (credits === undefined || credits === sumOf(read.filter(({ cents }) => cents > 0))) &&
    (debits === undefined || debits === -sumOf(read.filter(({ cents }) => cents < 0)))
  )
}

/** Returns the only balance of a statement with this code. None if there are several, as in a statement of many pages. */
function balanceOf(statement: Element, code: string, find: Find): number | undefined {
  const found = find(statement, 'Bal').filter(balance => textAt(find, balance, 'Tp', 'CdOrPrtry', 'Cd') === code)
  const money = moneyOf(found[0] && find(found[0], 'Amt')[0])
  if (!found[0] || found.length > 1 || typeof money === 'string') return undefined
  return textAt(find, found[0], 'CdtDbtInd') === 'DBIT' ? -money.cents : money.cents
}

/** The maximum digits of the whole part, with which cents stay exact. */
const written = /^(\d{1,11})(?:\.(\d{1,2})0{0,3})?$/

/** Reads an amount as banks write it: digits, a point, at most two decimals, no sign. ISO 20022 allows up to five decimals: those beyond are zeros. */
function readAmount(text: string): number | undefined {
  const [, units, decimals = ''] = written.exec(text.trim()) ?? []
  return units === undefined ? undefined : Number(units) * 100 + Number(decimals.padEnd(2, '0'))
}
