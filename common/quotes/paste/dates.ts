import { addDays, addYears, daysBetween, isDate } from '#common/kit/dates.ts'
import { earliestBirthDate } from '#common/kit/validators/periods.ts'
import { weekdayOf } from './calendar-words.ts'
import { after, before, lineAbove, lineEnd, lineStart, matchesIn, type Pasted, type Span } from './text.ts'
import { type Written, writtenDates } from './written-dates.ts'

export type FoundDate = { value: string; at: Span }
export type TripDays = {
  start: FoundDate | undefined
  end: FoundDate | undefined
  reserved: FoundDate | undefined
  births: FoundDate[]
}

/** `out` leaves somewhere and `in` comes somewhere: a flight sets out first, a room is come to first. `other` is none of the trip's days. */
type Role = 'start' | 'end' | 'out' | 'in' | 'reserved' | 'birth' | 'other' | 'none'
export type Day = FoundDate & { role: Role; toNext: boolean; isYearSaid: boolean }

/** Every day that a text names, and what it says of it. */
export function daysIn(pasted: Pasted, today: string): Day[] {
  const days: Day[] = []
  let last: (Day & { written: Written }) | undefined
  const written = writtenDates(pasted)
  for (const [index, date] of written.entries()) {
    const role = roleOf(pasted, date, written[index + 1], last)
    const value = dayOf(pasted, date, written[index + 1], role, last, today)
    // What cannot be a day cannot begin a range either.
    last =
      value === undefined
        ? undefined
        : { value, at: date.at, role, toNext: date.toNext, isYearSaid: date.year !== undefined, written: date }
    if (last) days.push(last)
  }
  return days
}

/** The days of a trip: never past, never impossible, and none where the text can be read in two ways. `legs`: the days on which a journey there and back goes. */
export function tripDays(pasted: Pasted, days: readonly Day[], today: string, legs: readonly Day[]): TripDays {
  const reserved = distinct(days.filter(({ role, value }) => role === 'reserved' && value <= today && value > addYears(today, -3)))
  return {
    ...tripPeriod(pasted, days, today, legs),
    reserved: reserved.length === 1 ? reserved[0] : undefined,
    births: days.filter(({ role, value }) => role === 'birth' && value >= earliestBirthDate && value <= today),
  }
}

/** What is never one of the trip's days, whatever else its clause says. */
const otherWords =
  /\b(?:cancel\w*|anul\w*|annul\w*|disdett\w+|pag[oa]\w*|pagu\w+|payment|payments|paid|pay|paiement|payer|paye|saldo|solde|balance|acconto|deposit\w*|acompte|anticipo|sinal|vencimiento|due|echeance|scad\w+|prazo|limit\w*|caduc\w+|expir\w+|valid\w*|valab\w+|vigen\w+|factura|invoice|facture|fattura|fatura|emi[st]\w*|emess\w+|issue\w*|etabli\w*|ofert\w+|offer\w*|offr\w+|offerta|promo\w*|descuento|discount|cerrad\w+|closed|ferme\w*|chius\w+|encerrad\w+|horario|pasaporte|passport|passeport|passaporto|dni|actuali\w+|updated|mis a jour|aggiorn\w+|atualiz\w+|enviad\w+|sent|envoye\w*|inviat\w+|copyright|since|desde hace|depuis|antes del?|avant|prima del?|online|en ligne|newsletter|last year|ano pasado|l'an dernier|anno scorso|ano passado)\b|©|^(?:date|fecha|data|de|from|da) ?:/
const birthWords =
  /\b(?:nac(?:imiento|id[oa]|\.)|f\. ?nac|birth\w*|born|dob|d\.o\.b|nee?s?|naissance|nat[oa]|nascit\w|nascimento|nascid[oa])(?![a-z])/
const reservedWords =
  /\b(?:(?:fecha|data|date) (?:de (?:la )?|da |della |di |d'|of )?(?:reserva\w*|reservation|booking|prenotazione|compra|achat|acquisto|purchase|commande|ordine|pedido|order)|(?:booking|reservation|order|purchase) date|reserva(?:d[oa]s?|mos)|booked|reserve[es]?s? (?:le|en)|prenotat[oai]|(?:reserva|booking|reservation|prenotazione) (?:realizada|hecha|efetuada|efectuada|feita|made|placed|effectuee|faite|effettuata|del|du))\b/
const roleWords: [Role, RegExp][] = [
  [
    'start',
    /\b(?:ida|check-?in|inicio|comienz\w|empieza|viaj(?:ar|an|amos)|sal(?:en|imos)|vuelan|embarque|embarking|embark|embarquement|imbarco|outbound|start\w*|begin\w*|leav(?:e|es|ing)|fly(?:ing)? out|aller|debut|partent|partons|andata|inizio|partono|partiamo|in[i]?cio|partem|partimos)\b/g,
  ],
  [
    'end',
    /\b(?:vuelta|volver|vuelven|volvemos|regres\w+|check-?out|fin|fim|hasta|return\w*|inbound|until|till|ends?|end(?:ing)|retour|rentrent|reviennent|jusqu'au|ritorn\w+|torn(?:iamo|ano|o)|rientr\w+|fino al|fine|volta\w*|ate|desembarque|disembark\w*|debarquement|sbarco|coming back)\b/g,
  ],
  ['out', /\b(?:salida|sale|depart\w*|dep|partenza|parte|partida|saida)\b/g],
  ['in', /\b(?:llegada|llega|entrada|arriv\w+|arr|chegada|chega)\b/g],
]

function roleOf(pasted: Pasted, date: Written, next: Written | undefined, last: (Day & { written: Written }) | undefined): Role {
  if (last?.toNext) return last.role
  const since = last?.at[1] ?? 0
  const context = before(pasted, date.at[0], since)
  const said = roleIn(context, 'last')
  if (said !== 'none') return said
  const isFirstOnLine = lineStart(pasted.plain, date.at[0]) >= since
  if (!isFirstOnLine && /^[\s,&()/]*(?:y|e|et|and)?[\s(]*$/.test(context)) return last?.role ?? 'none'
  const follows = roleIn(after(pasted, date.at[1], next?.at[0] ?? Number.POSITIVE_INFINITY), 'first')
  if (isFirstOnLine) {
    const above = roleAbove(pasted, date, last)
    if (above !== 'none') return above
  }
  return follows
}

/** A label of its own line above; and a list of birth dates goes on line by line. */
function roleAbove(pasted: Pasted, { at }: Written, last: (Day & { written: Written }) | undefined): Role {
  const line = lineAbove(pasted.plain, at[0])
  if (!line) return 'none'
  if (last && last.at[1] > line[0]) return last.role === 'birth' ? 'birth' : 'none'
  return line[1] - line[0] > 90 ? 'none' : roleIn(pasted.plain.slice(...line), 'last')
}

function roleIn(words: string, which: 'first' | 'last'): Role {
  if (birthWords.test(words)) return 'birth'
  if (reservedWords.test(words)) return 'reserved'
  if (otherWords.test(words.trimStart())) return 'other'
  const said = roleWords.flatMap(([role, pattern]) => matchesIn(words, pattern).map(({ index }) => ({ role, index })))
  return said.toSorted((a, b) => a.index - b.index).at(which === 'first' ? 0 : -1)?.role ?? 'none'
}

/** The day with its year. Without one it is the next such day for a trip, and the last for what has been; with a weekday that is another, none. */
function dayOf(
  pasted: Pasted,
  date: Written,
  next: Written | undefined,
  role: Role,
  last: Day | undefined,
  today: string,
): string | undefined {
  const year = date.year ?? (date.toNext && next?.year ? yearBefore(date, next, next.year) : undefined)
  const value = year === undefined ? nearest(date, role, last, today) : dayIn(role === 'birth' ? centuryOf(year, today) : year, date)
  if (value === undefined) return undefined
  const [word] =
    /[a-z]{3,10}(?=(?:-feira)?[.,]? ?(?:(?:the|el|le|il|dia) )?$)/.exec(pasted.plain.slice(Math.max(0, date.at[0] - 20), date.at[0])) ?? []
  const weekday = word === undefined ? undefined : weekdayOf(word, pasted.language)
  return weekday === undefined || weekday === weekdayIn(value) ? value : undefined
}

const yearBefore = (date: Written, next: Written, year: number): number =>
  date.month > next.month || (date.month === next.month && date.day > next.day) ? year - 1 : year

const centuryOf = (year: number, today: string): number => (year > Number(today.slice(0, 4)) ? year - 100 : year)

function dayIn(year: number, { month, day }: Written): string | undefined {
  const value = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return isDate(value) ? value : undefined
}

function nearest(date: Written, role: Role, last: Day | undefined, today: string): string | undefined {
  if (role === 'birth') return undefined
  const goesOn = last && last.value > today && (last.toNext || (last.role !== 'other' && last.isYearSaid))
  const base = goesOn ? last.value : today
  const thisYear = Number(base.slice(0, 4))
  const days = [thisYear - 1, thisYear, thisYear + 1].flatMap(year => dayIn(year, date) ?? [])
  return role === 'reserved' ? days.findLast(day => day <= today) : days.find(day => day >= base)
}

const weekdayIn = (date: string): number => ((daysBetween('2023-01-01', date) % 7) + 7) % 7

const longest = 366
const horizonYears = 2

function tripPeriod(pasted: Pasted, days: readonly Day[], today: string, legs: readonly Day[]): Pick<TripDays, 'start' | 'end'> {
  const none = { start: undefined, end: undefined }
  const pairs = days.flatMap((day, index): [Day, Day][] => {
    const next = days[index + 1]
    return day.toNext && next ? [[day, next]] : []
  })
  const ranges = pairs.filter(([from, to]) => !apart.has(from.role) && from.value >= today && from.value <= to.value)
  const ranged = new Set(pairs.flat())
  const said = days.filter(day => !ranged.has(day) && (ofTrip.has(day.role) || (day.role === 'none' && legs.includes(day))))
  if (said.some(({ value }) => value < today) && ranges.length === 0) return none
  const future = [...ranges.flat(), ...said.filter(({ value }) => value >= today)].toSorted((a, b) => a.value.localeCompare(b.value))
  const [start, end] = [future[0], future.at(-1)]
  if (!start || !end || end.value > addYears(today, horizonYears) || daysBetween(start.value, end.value) > longest) return none
  if (!isOneTrip(pasted, future, ranges)) return none
  const isThereAndBack = legs.length > 0
  const isHotel = hotelWords.test(pasted.plain)
  if (ranges.length > 0 || future.some(({ role }) => role === 'end') || isThereAndBack || isStay(future, isHotel)) {
    return { start: start.role === 'end' && ranges.length === 0 ? undefined : start, end }
  }
  const leaves = distinct(future.filter(({ role }) => role === 'start' || (role === 'out' && !isHotel)))
  const [only] = leaves
  if (!only || leaves.length > 1 || only.value !== start.value) return none
  return { start: only, end: afterNights(pasted, only) }
}

const ofTrip = new Set<Role>(['start', 'end', 'out', 'in'])
const apart = new Set<Role>(['other', 'reserved', 'birth'])
const hotelWords = /\b(?:check-?in|hotel|noches|nights|nuits|notti|noites|habitacion|chambre|camera|quarto)\b/

/** Somewhere is come to, and left two days later or more; in a hotel, the day after. */
function isStay(days: Day[], isHotel: boolean): boolean {
  const comes = days.find(({ role }) => role === 'in')
  const goes = days.findLast(({ role }) => role === 'out')
  return comes !== undefined && goes !== undefined && daysBetween(comes.value, goes.value) >= (isHotel ? 1 : 2)
}

const choiceWords = /\b(?:opcion\w*|option\w*|opzion\w+|opcao|opcoes|alternativ\w+|oppure|ou bien|o bien|either|soit)\b/
const slack = 3

/** Several ranges or beginnings are one trip when each goes on where another ends; where there is a choice, they are several. */
function isOneTrip({ plain }: Pasted, days: Day[], ranges: [Day, Day][]): boolean {
  if (distinct(days).length > 2 && choiceWords.test(plain)) return false
  const begins = [...ranges.map(([from]) => from), ...days.filter(({ role }) => role === 'start')]
  const ends = [...ranges.map(([, to]) => to), ...days.filter(({ role }) => role === 'end')]
  const near = (a: Day, b: Day) => Math.abs(daysBetween(a.value, b.value)) <= slack
  const firsts = distinct(begins).toSorted((a, b) => a.value.localeCompare(b.value))
  const goesOn = firsts.every((begin, index) => {
    const previous = firsts[index - 1]
    const inside = ranges.some(([from, to]) => from.value < begin.value && begin.value < to.value)
    return !previous || inside || near(begin, previous) || ends.some(end => near(begin, end))
  })
  const [from, to] = [
    ranges.map(range => range[0].value).toSorted()[0],
    ranges
      .map(range => range[1].value)
      .toSorted()
      .at(-1),
  ]
  return goesOn && (!from || !to || days.every(({ value }) => value >= addDays(from, -slack) && value <= addDays(to, slack)))
}

/** `7 noches` from the day that is known. */
function afterNights({ plain }: Pasted, start: FoundDate): FoundDate | undefined {
  const said = matchesIn(plain, /(?<![\w.,])(\d{1,2}) ?(?:noches|nights|nuits|notti|noites)\b/g)
  const [first] = said
  if (!first || new Set(said.map(([, nights]) => nights)).size > 1 || Number(first[1]) < 1) return undefined
  return { value: addDays(start.value, Number(first[1])), at: [first.index, first.index + first[0].length] }
}

const distinct = <Date extends FoundDate>(dates: Date[]): Date[] =>
  dates.filter(({ value }, index) => dates.findIndex(other => other.value === value) === index)

/** The day that a line tells of: its own first, or the last above it. */
export function dayFor<Date extends FoundDate>(days: readonly Date[], { plain }: Pasted, at: number): Date | undefined {
  const [start, end] = [lineStart(plain, at), lineEnd(plain, at)]
  return days.find(day => day.at[0] >= start && day.at[0] < end) ?? days.findLast(day => day.at[0] < start)
}

export const dayBelow = <Date extends FoundDate>(days: readonly Date[], _: Pasted, at: number): Date | undefined =>
  days.find(day => day.at[0] > at)
