import { splitRows } from '#common/kit/csv.ts'
import { searchable } from '#common/kit/text.ts'

/**
 * The indexes of the columns in an agency's own list. A list has a number or a reference, and at least one amount; amounts may contain the currency.
 */
export type Columns = { number: number; reference: number; gross: number; commission: number; currency: number }
type Field = keyof Columns

/** The words by which a heading names its column, in the five languages. The first field with a matching word wins. */
const wordsOf: [Field, Set<string>][] = [
  ['commission', new Set('commission comision commissione provvigione provvigioni comissao comisiones commissioni comissoes'.split(' '))],
  [
    'gross',
    new Set(
      'amount gross premium total price importe prima pvp precio montant prime prix importo premio prezzo lordo valor preco montante brut bruto'.split(
        ' ',
      ),
    ),
  ],
  [
    'reference',
    new Set('reference booking ref referencia localizador expediente reserva dossier riferimento pratica processo prenotazione'.split(' ')),
  ],
  [
    'number',
    new Set('policy poliza police polizza apolice contrat contrato contratto certificate certificado certificat certificato'.split(' ')),
  ],
  ['currency', new Set('currency divisa moneda devise valuta moeda'.split(' '))],
]

const separators = [';', '\t', ',', '|'] as const
const mostTitles = 8

/** Returns the columns that a row of headings names, or none. */
export function columnsOf(row: readonly string[]): Columns | undefined {
  const columns: Columns = { number: -1, reference: -1, gross: -1, commission: -1, currency: -1 }
  for (const [index, heading] of row.entries()) {
    const words = searchable(heading.slice(0, 100)).split(/[^a-z]+/)
    const [field] = wordsOf.find(([, known]) => words.some(word => known.has(word))) ?? []
    if (field && columns[field] < 0) columns[field] = index
  }
  const { number, reference, gross, commission } = columns
  return (number >= 0 || reference >= 0) && (gross >= 0 || commission >= 0) ? columns : undefined
}

export type List = { columns: Columns; rows: { line: number; cells: string[] }[] }

/** Reads a list whose headings may stand below a title. Undefined without known headings. */
export function readList(csv: string): List | undefined {
  const text = csv.replace(/^\uFEFF/, '')
  const head = text
    .split(/\r\n|\r|\n/, mostTitles)
    .join('\n')
    .slice(0, 10_000)
  for (const separator of separators) {
    const top = splitRows(head, separator).findIndex(row => columnsOf(row))
    if (top < 0) continue
    const rows = splitRows(text, separator)
    const columns = columnsOf(rows[top] ?? [])
    if (columns) return { columns, rows: rows.map((cells, index) => ({ line: index + 1, cells })).slice(top + 1) }
  }
  return undefined
}
