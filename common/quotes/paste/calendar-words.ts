import type { Language } from '#common/kit/locales.ts'

/** In full first, then how they are shortened; as `plain` has them, without accents. */
const months: Record<Language, string> = {
  en: 'january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, september sept sep, october oct, november nov, december dec',
  es: 'enero ene, febrero feb, marzo mar, abril abr, mayo may, junio jun, julio jul, agosto ago, septiembre setiembre sept sep, octubre oct, noviembre nov, diciembre dic',
  fr: 'janvier janv jan, fevrier fevr fev, mars, avril avr, mai, juin, juillet juil, aout, septembre sept sep, octobre oct, novembre nov, decembre dec',
  it: 'gennaio gen, febbraio feb, marzo mar, aprile apr, maggio mag, giugno giu, luglio lug, agosto ago, settembre sett set, ottobre ott, novembre nov, dicembre dic',
  pt: 'janeiro jan, fevereiro fev, marco mar, abril abr, maio mai, junho jun, julho jul, agosto ago, setembro set, outubro out, novembro nov, dezembro dez',
}

const weekdays: Record<Language, string> = {
  en: 'sunday sun, monday mon, tuesday tue tues, wednesday wed, thursday thu thur thurs, friday fri, saturday sat',
  es: 'domingo dom, lunes lun, martes mar, miercoles mie, jueves jue, viernes vie, sabado sab',
  fr: 'dimanche dim, lundi lun, mardi mar, mercredi mer, jeudi jeu, vendredi ven, samedi sam',
  it: 'domenica dom, lunedi lun, martedi mar, mercoledi mer, giovedi gio, venerdi ven, sabato sab',
  pt: 'domingo dom, segunda seg, terca ter, quarta qua, quinta qui, sexta sex, sabado sab',
}

type Known = { index: number; languages: Set<Language> }

function wordsOf(lists: Record<Language, string>): Map<string, Known> {
  const found = new Map<string, Known>()
  for (const language of Object.keys(lists) as Language[]) {
    for (const [index, names] of lists[language].split(', ').entries()) {
      for (const name of names.split(' ')) {
        const known = found.get(name) ?? { index, languages: new Set() }
        known.languages.add(language)
        found.set(name, known)
      }
    }
  }
  return found
}

const monthWords = wordsOf(months)
const weekdayWords = wordsOf(weekdays)

/** 1 to 12. A short one is a word of another language too often (`out`, `set`, `may`): without a year beside it, it has to be one of the text's own. */
export function monthOf(word: string, language: Language, sure: boolean): number | undefined {
  const known = monthWords.get(word)
  if (!known || !(sure || word.length > 4 || known.languages.has(language))) return undefined
  return known.index + 1
}

export const isEnglishMonth = (word: string): boolean => monthWords.get(word)?.languages.has('en') === true

/** 0 is Sunday. */
export function weekdayOf(word: string, language: Language): number | undefined {
  const known = weekdayWords.get(word)
  return known && (word.length > 4 || known.languages.has(language)) ? known.index : undefined
}

/** Every way to write a weekday, for what may stand between two dates. */
export const anyWeekday = [...weekdayWords.keys()].toSorted((a, b) => b.length - a.length).join('|')
