import type { Cell } from '../paste/tables.ts'
import type { Pasted } from '../paste/text.ts'
import { isGiven, mayBeSurname } from './given-names.ts'
import { isOther, namesInLine } from './name-runs.ts'
import { type NameRead, nameOf } from './names.ts'
import type { PersonFound } from './person.ts'

/** Returns the people of a text's tables, one for each row, by the heads of their names' columns. */
export function tablePeople({ text, cells }: Pasted): PersonFound[] {
  const rows = Map.groupBy(
    cells.filter(({ column }) => column),
    ({ row }) => row,
  )
  return [...rows.values()].flatMap((names): PersonFound[] => {
    const read = nameIn(text, names)
    const [first, last] = [names[0], names.at(-1)]
    if (!read || !first || !last) return []
    const { isSure, ...value } = read
    return [{ value, at: [first.at[0], last.at[1]], isSure, doubts: [], travels: true }]
  })
}

const name = /^\p{L}[\p{L}'’. ªº-]{0,60}$/u

function nameIn(text: string, cells: readonly Cell[]): NameRead | undefined {
  const written = (column: Cell['column']) => {
    const cell = cells.find(each => each.column === column)
    return cell && text.slice(...cell.at)
  }
  const [surnames, given, whole] = [
    written('surname'),
    written('given'),
    cells.find(({ column }) => column === 'surname first' || column === 'name'),
  ]
  if (surnames !== undefined && given !== undefined) {
    const isName = [surnames, given].every(words => name.test(words) && !words.split(' ').some(word => word.length > 2 && isOther(word)))
    return isName ? nameOf(given, surnames) : undefined
  }
  if (!whole) return undefined
  const [run] = namesInLine(text, whole.at)
  if (whole.column === 'name' || /[,/]/.test(text.slice(...whole.at)))
    return run && (run.words > 1 || run.isTitled) ? { ...run.value, isSure: run.isSure } : undefined
  return surnamesFirst(text.slice(...whole.at))
}

/** Reads a name below `Apellidos y nombre`: the given names are those at its end. */
function surnamesFirst(text: string): NameRead | undefined {
  const words = text.split(' ').filter(Boolean)
  if (!name.test(text) || words.length < 2 || words.some(isOther)) return undefined
  const cut = words.findIndex((_, index) => index > 0 && words.slice(index).every(isGiven))
  const from = cut > 0 ? cut : words.length - 1
  const isSure = cut > 0 && !words.slice(cut).some(mayBeSurname)
  return { ...nameOf(words.slice(from).join(' '), words.slice(0, from).join(' ')), isSure }
}
