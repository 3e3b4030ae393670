import { splitRows } from '#common/kit/csv.ts'
import { searchable } from '#common/kit/text.ts'

/**
 * The meaning of a column's name. `first`: a given name called the first. `middle` and `last`: their meaning changes beside another surname. `nom`: a
 * surname in French, a given name in Catalan. `full`: a whole name.
 */
export type Heading = {
  kind: 'name' | 'first' | 'middle' | 'last' | 'nom' | 'surname' | 'second' | 'full' | 'birthDate' | 'docNumber' | 'documentKind'
  order?: NameOrder
}

/** The part of a whole name that comes first, if the column's name says so. */
export type NameOrder = 'givenFirst' | 'surnamesFirst'

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Small words, and the endings of 1er, 2do and 2ème. */
const small = setOf(
  'a al and d da das de degli dei del della des di do dos du e el em en eme er et il l la las le lo los na o of on or ou ro s the u y',
)
const numbers = setOf('n no nr nro num numero number')
const persons = setOf(
  'adulto asegurado asegurados assicurato assicurati assure assures client cliente guest huesped insured ospite participant participante ' +
    'participantes partecipante partecipanti pasajero pasajeros passager passagers passageiro passageiros passeggero passeggeri passenger ' +
    'passengers pax person persona personne pessoa segurado segurados traveler traveller travellers viaggiatore viaggiatori viajante viajantes ' +
    'viajero viajeros voyageur voyageurs',
)

const passports = setOf('passport pasaporte passeport passaporto passaporte')
const documents = new Set([
  ...passports,
  ...setOf(
    'cedula cf cidadao cni dni doc docto document documento fiscale identidad identidade identificacao identificacion identification identita ' +
      'identite identity nie nif',
  ),
])
const documentParts = setOf('bi card carta cartao carte cc codice national nacional nationale nazionale piece')
const initials = setOf('bi cc')
const kinds = setOf('clase kind tipo type')

const births = setOf(
  'birth birthdate birthday born datanascimento datanascita dateofbirth ddn dob fechanac fechanacimiento fecnac fn fnac fnacimiento nacida nacido nacim nacimiento naiss naissance nasc nascida nascido nascimento ' +
    'nascita nata nato ne nee',
)
const dates = setOf('aaaa data date day dd dt f fec fecha jj mm yyyy')

const givens = setOf('forename forenames given name names nombre nombres nome nomes nomi prenom prenoms')
const surnames = setOf(
  'apelido apelidos apellido apellidos cognom cognome cognomi cognoms lastname lastnames middlename nom noms sobrenome sobrenomes surname surnames',
)
const firsts = setOf('1 first paterno premier premiere primer primero primeiro primo')
const seconds = setOf('2 deuxieme materno second secondo segundo')
const nameParts = setOf('famille naissance pila proprio ultima ultimo usage usuel')
const wholes = setOf('complet completa complete completo full intero')

/** English uses two words where the other languages use one. */
const phrases: [RegExp, string][] = [
  [/\bfirst last names?\b/, 'forename surname'],
  [/\blast first names?\b/, 'surname forename'],
  [/\bfirst ?names?\b/, 'firstname'],
  [/\b(?:given|christian) ?names?\b/, 'forename'],
  [/\bfamily ?names?\b/, 'surname'],
  [/\blast ?names?\b/, 'lastname'],
  [/\bmiddle ?names?\b/, 'middlename'],
]

/** Returns the meaning of a column's name in any of the five languages, or undefined. Every word must be known. */
export function headingOf(text: string): Heading | undefined {
  const words = wordsOf(text)
  const only = (...sets: ReadonlySet<string>[]) => words.every(word => persons.has(word) || sets.some(set => set.has(word)))
  const has = (set: ReadonlySet<string>) => words.some(word => set.has(word))
  if (words.length === 0) return undefined
  if (has(kinds) && (has(documents) || has(documentParts) || words.includes('id')) && only(kinds, documents, documentParts, setOf('id')))
    return { kind: 'documentKind' }
  // Portuguese names its card by initials only.
  const isDocument = has(documents) || has(initials) || (words.includes('id') && (has(numbers) || has(documentParts)))
  if (isDocument && only(documents, documentParts, numbers, setOf('id'))) return { kind: 'docNumber' }
  // `Nac.` alone may mean nationality.
  const isBirth = has(births) || (words.includes('nac') && has(dates))
  if (isBirth && only(births, dates, setOf('nac'))) return { kind: 'birthDate' }
  return only(givens, surnames, firsts, seconds, nameParts, wholes, setOf('firstname')) ? namesOf(words) : undefined
}

/** True for a row with at least two known column names. */
export const hasHeadings = (cells: readonly string[]): boolean => cells.filter(cell => headingOf(cell)).length > 1

/** Reads the name of a column of names, all of whose words must be known. A second given name is not a field. */
function namesOf(words: readonly string[]): Heading | undefined {
  const at = (set: ReadonlySet<string>) => words.findIndex(word => set.has(word))
  const given = words.indexOf('firstname') >= 0 ? words.indexOf('firstname') : at(givens)
  const surname = at(surnames)
  if (given >= 0 && surname >= 0) return { kind: 'full', order: given < surname ? 'givenFirst' : 'surnamesFirst' }
  if (at(wholes) >= 0 || (given < 0 && surname < 0)) return { kind: 'full' }
  if (given >= 0 && at(seconds) >= 0) return undefined
  if (given >= 0) return { kind: words.includes('firstname') ? 'first' : 'name' }
  if (at(seconds) >= 0) return { kind: 'second' }
  if (words.includes('lastname') || words.includes('lastnames')) return { kind: 'last' }
  if (words.includes('middlename')) return { kind: 'middle' }
  return { kind: words.length === 1 && words[0] === 'nom' ? 'nom' : 'surname' }
}

/** `F.Nac. (DD/MM/AAAA) *` → `f nac`, `Apellido2` → `apellido 2`, `D.N.I.` → `dni` */
function wordsOf(text: string): string[] {
  const plain = searchable(text.replaceAll(/\([^)]*\)/g, '').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replaceAll(/(?<![a-z])(?:[a-z]\.){2,}/g, initials => initials.replaceAll('.', ''))
    .split(/[^a-z0-9]+|(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/)
    .filter(word => word !== '' && !small.has(word))
    .join(' ')
  return phrases
    .reduce((joined, [pattern, word]) => joined.replace(pattern, word), plain)
    .split(' ')
    .filter(Boolean)
}

/** True for the name of a column that holds passports only. */
export const holdsPassports = (name: string): boolean => {
  const words = wordsOf(name)
  return words.some(word => passports.has(word)) && words.every(word => passports.has(word) || numbers.has(word) || persons.has(word))
}

const separators = [';', '\t', ',', '|'] as const

/**
 * Returns the rows of CSV text or copied cells, quoted or not. The separator is the comma, semicolon, tab or bar that splits the column names, which
 * may stand below a title. Otherwise it is the one that gives the first line the most cells.
 */
export const rowsOfText = (text: string): string[][] => splitRows(text, separatorOf(text))

const mostTitles = 8
const longestTitles = 4000

function separatorOf(text: string): string {
  const lines = text
    .trimStart()
    .slice(0, longestTitles)
    .split(/[\r\n]+/)
    .slice(0, mostTitles)
  const names = lines.find(line => separators.some(separator => hasHeadings(line.replaceAll('"', '').split(separator))))
  const first = (names ?? lines[0] ?? '').replaceAll(/"[^"]*"/g, '')
  return separators.toSorted((one, other) => first.split(other).length - first.split(one).length)[0] ?? ','
}
