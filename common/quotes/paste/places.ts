import { daysBetween } from '#common/kit/dates.ts'
import { type Day, dayBelow, dayFor } from './dates.ts'
import { type KnownCountry, type Named, namedPlaces } from './named-places.ts'
import { before, lineAbove, lineEnd, lineStart, matchesIn, type Pasted, type Span } from './text.ts'

export type FoundPlace = { value: number; at: Span }
/** `legDays`: when a journey there and back goes; none where it does not come back. */
export type FoundPlaces = { origin: FoundPlace | undefined; destinations: FoundPlace[]; legDays: Day[] }

type Stop = Named & { role: 'from' | 'to' | undefined }
type Leg = { from: Stop; to: Stop; day: Day | undefined }

/** Where a journey leads, by its legs or by what is said of a place. A place that is only passed through is none of it. */
export function findPlaces(pasted: Pasted, days: readonly Day[], countries: readonly KnownCountry[]): FoundPlaces {
  const stops = stopsIn(pasted, countries)
  const legs = legsOf(pasted, stops, days)
  const ids = new Map(countries.map(({ id, alpha2 }) => [alpha2, id]))
  const found = (stop: Stop): FoundPlace[] => {
    const value = ids.get(stop.country)
    return value === undefined ? [] : [{ value, at: stop.at }]
  }
  const [first] = legs
  const isRound = cruiseWords.test(pasted.plain)
  const origin = isRound ? undefined : (first?.from ?? onlyOne(stops.filter(({ role }) => role === 'from')))
  const goals = legs.length > 0 ? goalsOf(legs, stops, isRound) : stops.filter(({ role }) => role === 'to')
  return {
    origin: origin && found(origin)[0],
    destinations: firstOfEach(goals).flatMap(found),
    legDays: comesBack(legs) ? daysOf(legs) : [],
  }
}

/** A list of ports under one day tells nothing of when it is over. */
function daysOf(legs: readonly Leg[]): Day[] {
  const days = legs.flatMap(({ day }) => day ?? [])
  return new Set(days.map(({ value }) => value)).size > 1 ? days : []
}

const firstOfEach = (stops: readonly Stop[]): Stop[] =>
  stops.filter(({ country }, index) => stops.findIndex(other => other.country === country) === index)

const onlyOne = (stops: readonly Stop[]): Stop | undefined => (firstOfEach(stops).length === 1 ? stops[0] : undefined)

const cruiseWords = /\b(?:crucero|cruise|croisiere|crociera|cruzeiro|circuit\w?)\b/
/** What stands in the small print is about whoever wrote it. */
const footerWords =
  /@|©|www\.|\b(?:s\.l\.|sl|slu|s\.a\.|b\.v\.|ltd|inc|gmbh|sarl|s\.r\.l|srl|lda|plc|vat|cif|c\.i\.f|nif|p\. ?iva|siret|rcs|rnavt|registered|registro|iban|swift|tel|telefono|telephone|phone|licencia|agencia|agence|agenzia)\b/

/** Places as stops: `Madrid Barajas (MAD)` and `Roma, Italia` are one each. */
function stopsIn(pasted: Pasted, countries: readonly KnownCountry[]): Stop[] {
  const { plain } = pasted
  const stops: Stop[] = []
  for (const named of namedPlaces(pasted, countries)) {
    if (footerWords.test(lineOf(plain, named.at[0]))) continue
    const last = stops.at(-1)
    const gap = last && plain.slice(last.at[1], named.at[0])
    if (last && gap !== undefined && isSame(last, named) && /^[ ,(/\w-]{0,24}$/.test(gap) && !/[a-z] - |\d|>/.test(gap)) {
      last.at = [last.at[0], named.at[1]]
      if (last.isCountry) Object.assign(last, { place: named.place, isCountry: named.isCountry })
      continue
    }
    stops.push({ ...named, role: roleOf(pasted, named, last) })
  }
  return stops
}

const lineOf = (plain: string, at: number): string =>
  plain.slice(Math.max(lineStart(plain, at), at - 200), Math.min(lineEnd(plain, at), at + 200))

const isSame = (a: Named, b: Named): boolean => a.country === b.country && (a.place === b.place || a.isCountry || b.isCountry)

const fromWords = /\b(?:salida|sale|saliendo|dep|depart\w*|from|desde|origen|orig\w+|partenza|partida|partant|saida|da partire)\b/g
const toWords = /\b(?:llegada|arr|arriv\w+|chegada|destin\w*|hacia|to)\b/g
const goingWords =
  /\b(?:viaj\w+|vuel\w+|trip|travel\w*|fly(?:ing)?|flights?|voyag\w+|sejour\w*|vols?|part(?:ir|ent|ons|ono|iamo|em|imos)|viagg\w+|viag\w+|voli?|voos?|soggiorn\w+|estancia|stay\w*|holidays?|vacaciones|vacances|vacanz\w|ferias|crucero|cruise|croisiere|crociera|cruzeiro|circuit\w?|tour|go(?:ing)?|van|vamos|ir|andiamo|vanno|escapada|luna de miel|honeymoon|lua de mel|estadia|lune de miel|tren|train|treno|comboio|weekend|week-end|hotel|apartment|apartamento|appartement)\b[^.;|]{0,40}? (?:a|al|to|in|en|au|aux|por|em|para|per|pela|around|of|vers|nel|negli)(?: (?:el|la|l|las|los|the|les|le|il|ao|lo|isla de|island of))?[ ']$/
/** `Su viaje: Maravillas de Vietnam`, `Your booking in Barcelona`. */
const titleWords =
  /\b(?:(?:viaje|voyage|viaggio|viagem|trip|holiday|tour|circuit\w?)\b[^.;|:]{0,30}: ?(?:[^.;|:]{0,30} (?:a|al|du|de|del|do|da|in|of|to|en|au|aux|por) )?|(?:booking|reserva|reservation|prenotazione) (?:in|en|a|au|em|at) )$/
/** Where they have been before. */
const pastWords =
  /\b(?:last|previous\w*|was|were|went|ultim\w+|anterior\w*|pasad\w+|estuv\w+|fuimos|dernier\w*|precedent\w*|scors\w+|passad\w+|siamo stati|estivemos|alles)\b/
const listSigns = /^ ?(?:,|y|e|et|and|&|\+|\/|, ?y) ?(?:(?:a|al|to|la|le|the|en|au) )?$/
const addressWords = /\b(?:address|direccion|adresse|indirizzo|morada|endereco)\b/
const hotelWords = /\b(?:hotel|resort|apartamentos?|apartments?|appartement|residence|b&b|hostal|riad|villa|albergo|pousada|lodge)\b/
const stayWords = /\b(?:check-?in|check-?out|noches?|nights?|nuits?|notti|notte|noites?|entrada|arrivee|arrivo|chegada)\b/

function roleOf(pasted: Pasted, { at }: Named, last: Stop | undefined): Stop['role'] {
  const isOnLine = last !== undefined && last.at[1] > lineStart(pasted.plain, at[0])
  const words = before(pasted, at[0], isOnLine ? last.at[1] : 0)
  if (isOnLine && listSigns.test(words)) return last.role
  const [from, to] = [lastOf(words, fromWords), lastOf(words, toWords)]
  if (pastWords.test(words)) return undefined
  if ((goingWords.test(words) && from < 0) || titleWords.test(words)) return 'to'
  if (from >= 0 || to >= 0) return from > to ? 'from' : 'to'
  if (!last && isHotelAddress(pasted.plain, at[0])) return 'to'
  return undefined
}

const lastOf = (words: string, pattern: RegExp): number => matchesIn(words, pattern).at(-1)?.index ?? -1

/** On the line of a hotel's name or the three below it, in a text that tells of nights. */
function isHotelAddress(plain: string, at: number): boolean {
  let from = lineStart(plain, at)
  if (addressWords.test(plain.slice(from, at))) return stayWords.test(plain)
  for (let lines = 0; lines < 3 && from > 0; lines++) from = lineStart(plain, from - 1)
  return hotelWords.test(plain.slice(Math.max(from, at - 400), at)) && stayWords.test(plain)
}

/** What begins with the way back is not told whole. */
function legsOf(pasted: Pasted, stops: readonly Stop[], days: readonly Day[]): Leg[] {
  const pairs = stops.flatMap((from, index): [Stop, Stop][] => {
    const to = stops[index + 1]
    return to && isLeg(pasted.plain, from, to) ? [[from, to]] : []
  })
  // Where the first has no day on its line or above, each has it below.
  const dayOf = pairs[0] && dayFor(days, pasted, pairs[0][0].at[0]) ? dayFor : dayBelow
  const legs = pairs.map(([from, to]): Leg => ({ from, to, day: dayOf(days, pasted, from.at[0]) }))
  const [first] = legs
  const start = first && lineStart(pasted.plain, first.from.at[0])
  const above = start === undefined ? undefined : lineAbove(pasted.plain, start)
  return start !== undefined && backWords.test(pasted.plain.slice(above?.[0] ?? start, first?.from.at[0])) ? [] : legs
}

const backWords = /\b(?:vuelta|regreso|return|inbound|retour|ritorno|volta)\b(?![^\n]*\n[^\n]*\b(?:ida|outbound|aller|andata)\b)/

const noise =
  /\([^)\n]*\)|\bt\d\b|\bterminal \w+|\b\d{1,2}[:h.]\d{2}\b ?h?|\b(?:aeropuerto|airport|aeroport|aeroporto|intl|international|estacion|station|gare|stazione)\b|[,.:()]/g
const routeSign = /^(?:-{1,3}>?|>+|\/|a|al|to|au|ad|para|ate|hasta|vers|verso|per)$/

function isLeg(plain: string, from: Stop, to: Stop): boolean {
  if (from.place === to.place || to.at[0] - from.at[1] > 200) return false
  const gap = plain.slice(from.at[1], to.at[0])
  if (gap === '' && from.isCode && to.isCode) return true
  if (from.role === 'from' && to.role === 'to' && !/\n\s*\n\s*\n/.test(gap)) return true
  // A city that is not known by its name is by its code: `- Smallville (`.
  const known = to.isCode ? gap.replace(/(?<=[->/] ?)[a-z' .]{1,30}\($/, '') : gap
  // A station's own name: `Roma Termini 08:00 -`.
  const between = known.replace(/^ [a-z' .]{1,24}(?= \d{1,2}[:h.]\d{2})/, '')
  return gap.length <= 60 && !gap.includes('\n') && routeSign.test(between.replaceAll(noise, ' ').trim())
}

function comesBack(legs: readonly Leg[]): boolean {
  const [first, last] = [legs[0], legs.at(-1)]
  if (!first || !last || legs.length < 2) return false
  return first.from.place === last.to.place || (first.from.country === last.to.country && first.to.country !== first.from.country)
}

/** The countries that a journey stays in. With several, each needs a stay of two days, a word that says so, or a cruise that calls there. */
function goalsOf(legs: readonly Leg[], stops: readonly Stop[], isRound: boolean): Stop[] {
  const home = legs[0]?.from.country
  const abroad = legs.map(({ to }) => to).filter(({ country }) => country !== home)
  if (abroad.length === 0) return legs.slice(0, 1).map(({ to }) => to)
  if (isRound || firstOfEach(abroad).length === 1) return abroad
  const stays = legs.filter((leg, index) => leg.to.country !== home && isStay(leg, legs[index + 1])).map(({ to }) => to)
  const areDaysKnown = legs.every(({ day }) => day)
  const said = stops.filter(
    ({ role, country }) =>
      role === 'to' && country !== home && !legs.some(({ to, from }) => to.role === 'to' && from.role === 'from' && to.country === country),
  )
  return areDaysKnown && stays.length > 0 ? stays : said
}

function isStay(leg: Leg, next: Leg | undefined): boolean {
  if (!next) return true
  return leg.day !== undefined && next.day !== undefined && daysBetween(leg.day.value, next.day.value) >= 2
}
