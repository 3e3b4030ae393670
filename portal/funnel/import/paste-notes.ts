import { parseDate } from '#common/kit/dates.ts'
import { documentKinds } from '#common/policies/types.ts'
import type { Row } from '../people-form.ts'

/** What was read differently of a pasted row, or left out: a date that is none or was a number of days, a kind of document, further cells. */
export type PasteNote = { what: 'no_date' | 'day_count' | 'kind' | 'unused'; texts: readonly string[] }

/** A pasted row: what its cells say, what was read of them, and the cells of no field. */
type Pasted = { cells: Partial<Row>; row: Partial<Row>; unused: readonly string[] }

/** Returns what goes into the form, and what its row is to say of it. */
export function noted({ cells, row, unused }: Pasted): { row: Partial<Row>; notes: PasteNote[] } {
  const [born, read] = [cells.birthDate ?? '', row.birthDate ?? '']
  const notes: PasteNote[] = []
  if (read !== '' && !parseDate(read)) notes.push({ what: 'no_date', texts: [read] })
  else if (/^\d{5}(\.\d+)?$/.test(born)) notes.push({ what: 'day_count', texts: [born, read] })
  const { documentKind = '', ...others } = row
  const isKind = documentKinds.some(kind => kind === documentKind)
  if (documentKind !== '' && !isKind) notes.push({ what: 'kind', texts: [documentKind] })
  const left = unused.filter(text => text !== '')
  if (left.length > 0) notes.push({ what: 'unused', texts: left })
  return { row: isKind ? row : others, notes }
}
