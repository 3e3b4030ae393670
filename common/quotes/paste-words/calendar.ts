import type { Language } from '#common/kit/locales.ts'

/** The frequent small words of each language, and its months, weekdays and numbers: in order, each with its other forms behind. */
const calendars = {
  en: {
    frequent: `the, and, your, of, for, with, from, you, is, are, this, thank, dear, booking, nights, outbound, return, flight,
      travellers, we`,
    months: `january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, september sept sep, october oct,
      november nov, december dec`,
    weekdays: 'sunday sun, monday mon, tuesday tue tues, wednesday wed, thursday thu thur thurs, friday fri, saturday sat',
    numbers: 'one, two, three, four, five, six, seven, eight, nine, ten',
  },
  es: {
    frequent: `el, los, las, del, y, su, con, para, por, una, usted, noches, salida, vuelta, viaje, reserva, fecha, ida, vuelo, estimado,
      personas, hola`,
    months: `enero ene, febrero feb, marzo mar, abril abr, mayo may, junio jun, julio jul, agosto ago, septiembre setiembre sept sep,
      octubre oct, noviembre nov, diciembre dic`,
    weekdays: 'domingo dom, lunes lun, martes mar, miercoles mie, jueves jue, viernes vie, sabado sab',
    numbers: 'un uno una, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez',
  },
  fr: {
    frequent: `le, les, des, du, et, vous, votre, vos, pour, avec, au, aux, une, nuits, depart, retour, voyage, bonjour, vol, aller,
      c'est, date, passagers, est`,
    months: `janvier janv jan, fevrier fevr fev, mars, avril avr, mai, juin, juillet juil, aout, septembre sept sep, octobre oct,
      novembre nov, decembre dec`,
    weekdays: 'dimanche dim, lundi lun, mardi mar, mercredi mer, jeudi jeu, vendredi ven, samedi sam',
    numbers: 'un une, deux, trois, quatre, cinq, six, sept, huit, neuf, dix',
  },
  it: {
    frequent: `il, gli, della, e, per, con, di, che, dal, alla, notti, partenza, ritorno, viaggio, prenotazione, volo, andata, gentile,
      data, adulti, sono`,
    months: `gennaio gen, febbraio feb, marzo mar, aprile apr, maggio mag, giugno giu, luglio lug, agosto ago, settembre sett set,
      ottobre ott, novembre nov, dicembre dic`,
    weekdays: 'domenica dom, lunedi lun, martedi mar, mercoledi mer, giovedi gio, venerdi ven, sabato sab',
    numbers: 'un uno una, due, tre, quattro, cinque, sei, sette, otto, nove, dieci',
  },
  pt: {
    frequent: `o, os, do, da, em, e, com, seu, sua, ao, dias, noites, partida, regresso, viagem, reserva, voo, ida, volta, caro,
      estimado, no, pessoas`,
    months: `janeiro jan, fevereiro fev, marco mar, abril abr, maio mai, junho jun, julho jul, agosto ago, setembro set, outubro out,
      novembro nov, dezembro dez`,
    weekdays: 'domingo dom, segunda seg, terca ter, quarta qua, quinta qui, sexta sex, sabado sab',
    numbers: 'um uma, dois duas, tres, quatro, cinco, seis, sete, oito, nove, dez',
  },
}

/** The codes of the languages. Safe: `calendars` has no other keys. */
const languages = Object.keys(calendars) as Language[]

/** A name's place in its list, and the languages that have it. */
type WordUse = { index: number; languages: Set<Language> }

function wordsOf(list: 'months' | 'weekdays' | 'numbers'): Map<string, WordUse> {
  const uses = new Map<string, WordUse>()
  for (const language of languages) {
    for (const [index, names] of calendars[language][list].split(/,\s+/).entries()) {
      for (const name of names.split(' ')) {
        const use = uses.get(name) ?? { index, languages: new Set() }
        use.languages.add(language)
        uses.set(name, use)
      }
    }
  }
  return uses
}

const [monthWords, weekdayWords, numberWords] = [wordsOf('months'), wordsOf('weekdays'), wordsOf('numbers')]

/** Returns the month, 1 to 12. Without a year, a short name must be in the text's language, as others have `out`, `set` and `may`. */
export function monthOf(word: string, language: Language, isSure: boolean): number | undefined {
  const use = monthWords.get(word)
  return use && (isSure || word.length > 4 || use.languages.has(language)) ? use.index + 1 : undefined
}

export const isEnglishMonth = (word: string): boolean => monthWords.get(word)?.languages.has('en') === true

/** Returns the weekday that a word names; 0 is Sunday. */
export function weekdayOf(word: string, language: Language): number | undefined {
  const use = weekdayWords.get(word)
  return use && (word.length > 4 || use.languages.has(language)) ? use.index : undefined
}

/** Reads digits and the names of numbers up to ten. */
export const numberOf = (text: string): number => (numberWords.get(text)?.index ?? Number(text) - 1) + 1

const sourceOf = (names: Iterable<string>): string => [...names].toSorted((a, b) => b.length - a.length).join('|')

/** The sources of patterns for all weekdays, and for all numbers in words. */
export const anyWeekday = `(?:${sourceOf(weekdayWords.keys())})`
export const anyNumber = sourceOf(numberWords.keys())

/** The short names of weekdays and months. */
export const shortNames = sourceOf(
  languages.flatMap(language =>
    `${calendars[language].weekdays}, ${calendars[language].months}`.split(/,\s+/).flatMap(names => names.split(' ').slice(1)),
  ),
)

/** Returns the language of most of a text's small words; undefined if two have as many. */
export function languageIn(plain: string): Language | undefined {
  const counts = new Map<string, number>()
  for (const [word] of plain.slice(0, 20_000).matchAll(/[a-z']+/g)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const scoreOf = (language: Language) => calendars[language].frequent.split(/,\s+/).reduce((sum, word) => sum + (counts.get(word) ?? 0), 0)
  const [best, next] = languages.map(language => ({ language, score: scoreOf(language) })).toSorted((a, b) => b.score - a.score)
  return best && next && best.score > next.score ? best.language : undefined
}
