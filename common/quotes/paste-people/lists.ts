import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { inOrder, type Cell, lineAbove, lineEnd, lineStart, matchesIn, type Pasted, type Span, spanOf } from '../paste/text.ts'
import { isGiven, mayBeSurname } from './given-names.ts'
import { isOther, nameOf, type NameRead, type NameRun, namesInLine, turnedIn } from './names.ts'
import { personAt, type PersonFound } from './person.ts'

/** Returns the people that tables, forms, lists and labels of a text name. */
export function namedPeople(pasted: Pasted): PersonFound[] {
  const rows = [...tablePeople(pasted), ...formPeople(pasted)]
  const isInRow = ({ at }: PersonFound) =>
    rows.some(row => lineStart(pasted.plain, row.at[0]) <= at[0] && at[0] < lineEnd(pasted.plain, row.at[1]))
  return [...rows, ...[...listedPeople(pasted), ...labelledPeople(pasted)].filter(person => !isInRow(person))]
}

/** Returns a person for each row of a table, by the heads of the names' columns. */
function tablePeople({ text, cells }: Pasted): PersonFound[] {
  const rows = Map.groupBy(
    cells.filter(({ column }) => column),
    ({ row }) => row,
  )
  return [...rows.values()].flatMap((names): PersonFound[] => {
    const [read, first, last] = [nameIn(text, names), names[0], names.at(-1)]
    return read && first && last ? [personAt(read.value, [first.at[0], last.at[1]], { isSure: read.isSure, travels: true })] : []
  })
}

const isName = (words: string): boolean =>
  /^\p{L}[\p{L}'’. ªº-]{0,60}$/u.test(words) && !words.split(' ').some(word => word.length > 2 && isOther(word))

function nameIn(text: string, cells: readonly Cell[]): NameRead | undefined {
  const textOf = (column: Cell['column']) => cells.filter(each => each.column === column).map(({ at }) => text.slice(...at))[0]
  const [surnames, given] = [textOf('surname'), textOf('given')]
  if (surnames !== undefined && given !== undefined) {
    return isName(surnames) && isName(given) ? { value: nameOf(given, surnames), isSure: true } : undefined
  }
  const whole = cells.find(({ column }) => column === 'surname first' || column === 'name')
  if (!whole) return undefined
  const written = text.slice(...whole.at)
  if (whole.column === 'surname first' && !/[,/]/.test(written)) return surnamesFirst(written)
  const [run] = namesInLine(text, whole.at)
  return run && (run.words > 1 || run.isTitled) ? run : undefined
}

/** Reads a name below `Apellidos y nombre`: the given names are those at its end. */
function surnamesFirst(text: string): NameRead | undefined {
  const words = text.split(' ').filter(Boolean)
  if (words.length < 2 || !isName(text)) return undefined
  const known = words.findIndex((_, index) => index > 0 && words.slice(index).every(isGiven))
  const [surnames, given] = [words.slice(0, known), words.slice(known)]
  return { value: nameOf(given.join(' '), surnames.join(' ')), isSure: known > 0 && !given.some(mayBeSurname) }
}

const listTitle = new RegExp(
  `^[ *#|>-]{0,8}(?:\\d{1,2} )?[¿¡?]? ?` +
    `(?:(?:${anyOf('listHead', 'others')} )?${anyOf('traveller', 'participant')}(?: list)?(?!\\w)(?:/[a-z()]{1,16})?|` +
    `${anyOf('listTitle')})[^\\n:\\d(]{0,30}(?:\\([^)\\n]{1,30}\\))?[ ?]{0,3}(:?)[ ?:]{0,3}`,
  'gm',
)
const mostLines = 60
/** The number or character before a name in a list. */
const bullet = new RegExp(
  `^\\s{0,6}(?:${anyOf('ageGroup', 'traveller')} \\d{1,2} ?[:.)-] ?|[-*|>]{1,2} ?|\\(?\\d{1,2} ?[.):-]{1,3} ?|\\d{1,2} {1,2})?`,
)
/** The characters and words after a name in a list. */
const ending = new RegExp(
  `^ {0,3}(?:$|[(,;:|+-]|\\.(?: |$)| {2}|\\t|/|\\d|${wholeWord('ageGroup', 'birth', 'passport')}|y |e |et |and |& )`,
)

/** Returns the people that a list of travellers names, below its title or after it. */
function listedPeople(pasted: Pasted): PersonFound[] {
  return matchesIn(pasted.plain, listTitle).flatMap(title => {
    const behind = title.index + title[0].length
    const end = lineEnd(pasted.plain, behind)
    if (title[1] && pasted.plain.slice(behind, end).trim()) {
      const named = inline(pasted, [behind, end])
      // `Travellers: 2 adults`, with their names below.
      return named.length === 0 && /^\n {0,6}1 ?[.):-]/.test(pasted.plain.slice(end, end + 12)) ? below(pasted, end + 1) : named
    }
    return pasted.plain.slice(behind, end).trim() ? [] : below(pasted, end + 1)
  })
}

/** `Adultos: Marta Gil, Óscar Pons`. */
const groupHead = new RegExp(`^${anyOf('ageGroup')} ?: ?`)

/** Reads a list line by line. A blank line directly under its title is skipped, the next one ends the list. */
function below(pasted: Pasted, from: number): PersonFound[] {
  const { plain } = pasted
  const people: PersonFound[] = []
  let [at, misses] = [from, 0]
  for (let lines = 0; lines < mostLines && at < plain.length && misses < 3; lines++) {
    const end = lineEnd(plain, at)
    const line = plain.slice(at, end)
    // A title on its own line may follow.
    if (!line.trim() && people.length > 0 && !onlyTitles.test(plain.slice(end + 1, lineEnd(plain, end + 1)).trim())) break
    const begin = at + (bullet.exec(line)?.[0].length ?? 0)
    const head = groupHead.exec(plain.slice(begin, end))?.[0].length
    const group = head === undefined ? [] : inline(pasted, [begin + head, end])
    const read = group.length > 0 ? group : firstIn(pasted, [begin, end])
    if (read.length > 0) misses = 0
    else if (people.length > 0 || line.trim()) misses++
    people.push(...read)
    at = end + 1
  }
  return people
}

/** True if a name begins its part of a line and is followed by an ending of names. A title or a word such as `Niña` may precede it. */
function isWhole({ plain }: Pasted, { at, words, isTitled }: NameRun, [begin, end]: Span): boolean {
  const head = plain.slice(begin, at[0]).trim()
  return (head === '' || onlyTitles.test(head)) && (words > 1 || isTitled) && ending.test(plain.slice(at[1], end))
}

const onlyTitles = new RegExp(`^(?:(?:${wholeWord('nameTitle', 'ageGroup', 'traveller')})[ .:]{0,3}){1,3}$`)

const listed = ({ value, at, isSure }: NameRun): PersonFound => personAt(value, at, { isSure, travels: true })

const firstIn = (pasted: Pasted, part: Span): PersonFound[] =>
  namesInLine(pasted.text, part)
    .slice(0, 1)
    .filter(name => isWhole(pasted, name, part))
    .map(listed)

/** Reads `Pasajeros: Sra. Ana Vega y Sr. Luis Vega`, where each part must begin with a name. */
function inline(pasted: Pasted, [from, to]: Span): PersonFound[] {
  const { text, plain } = pasted
  const turned = turnedIn(text, [from, to]).filter(name => {
    const head = /^(?:.{0,300}(?:[,;|]| (?:y|e|et|and|ed|&) ))?/.exec(plain.slice(from, name.at[0]))?.[0] ?? ''
    return isWhole(pasted, name, [from + head.length, to])
  })
  const others = matchesIn(plain, parts, [from, to]).flatMap(match => {
    const [begin, end] = spanOf(match)
    if (turned.some(({ at }) => at[0] < end && at[1] > begin)) return []
    return firstIn(pasted, [begin + (/^ {0,4}(?:(?:y|e|et|and|ed|&) )?/.exec(match[0])?.[0].length ?? 0), end])
  })
  return inOrder([...turned.map(listed), ...others])
}

const parts = /(?:\([^)\n]{0,80}\)|(?! (?:y|e|et|and|ed|&) )[^,;|(\n]){1,200}/g

const label = new RegExp(
  `(?<!\\w)(?:${anyOf('personLabel')}|${anyOf('traveller', 'participant')} \\d{1,2})(?: ?\\([a-z ]{1,20}\\))? ?:? {1,3}`,
  'g',
)
const travelLabel = new RegExp(wholeWord('traveller'))
export const otherTravellers = new RegExp(`(?<!\\w)${anyOf('others')} ${anyOf('traveller')}(?!\\w)`)
const stayWords = new RegExp(wholeWord('stay', 'night'))

/** Returns the people after a label: `Titular: `, `Reserved for `. */
function labelledPeople({ text, plain }: Pasted): PersonFound[] {
  return matchesIn(plain, label).flatMap(match => {
    const [, from] = spanOf(match)
    const [name] = namesInLine(text, [from, Math.min(lineEnd(plain, from), from + 80)])
    if (!name || plain.slice(from, name.at[0]).trim().replace(/\.$/, '').length > (name.isTitled ? 8 : 0)) return []
    const isPassing = !match[0].includes(':') && lineStart(plain, match.index) !== match.index
    if (name.words < 2 && (!name.isTitled || isPassing)) return []
    return [{ ...listed(name), travels: travelLabel.test(match[0]) && (!stayWords.test(plain) || otherTravellers.test(plain)) }]
  })
}

const nameLine = `[ *-]{0,4}(?:(${anyOf('givenHead')})|${anyOf('surnameHead')}) ?: ?([^\\n:]{1,40})`
const nameLines = new RegExp(`^${nameLine}\\n${nameLine}$`, 'dgm')
const numberedTraveller = new RegExp(`${wholeWord('traveller', 'participant', 'ageGroup')} ?\\d{1,2}`)

/** Returns the people of forms: given names on one line, surnames on the next, or the other way round. */
function formPeople({ text, plain }: Pasted): PersonFound[] {
  return matchesIn(plain, nameLines).flatMap(match => {
    const [[from], [, to]] = [spanOf(match, 2), spanOf(match)]
    const [one, other] = [text.slice(...spanOf(match, 2)).trim(), text.slice(...spanOf(match, 4)).trim()]
    if ((match[1] === undefined) === (match[3] === undefined) || !isName(one) || !isName(other)) return []
    const above = lineAbove(plain, match.index)
    const travels = above !== undefined && numberedTraveller.test(plain.slice(...above))
    return [personAt(match[1] ? nameOf(one, other) : nameOf(other, one), [from, to], { travels })]
  })
}
