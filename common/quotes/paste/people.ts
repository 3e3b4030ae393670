import { before, lineEnd, matchesIn, type Pasted, type Span } from './text.ts'

export type FoundNumber = { value: number; at: Span }
export type FoundPeople = { travelers: FoundNumber | undefined; ages: FoundNumber[] }

const most = 99
const numberWords: Record<string, number> = Object.fromEntries(
  [
    'un uno una one une um uma',
    'dos two deux due dois duas',
    'tres three trois tre',
    'cuatro four quatre quattro quatro',
    'cinco five cinq cinque',
    'seis six sei',
    'siete seven sept sette sete',
    'ocho eight huit otto oito',
    'nueve nine neuf nove',
    'diez ten dix dieci dez',
  ].flatMap((words, index) => words.split(' ').map(word => [word, index + 1])),
)
const number = `(\\d{1,2}|${Object.keys(numberWords).join('|')})`
const partWords =
  'adult[oaie]?s?|ninos?|ninas?|children|child|kids?|bebes?|bambin[oiae]|neonat[oi]|criancas?|enfants?|infants?|babies|baby|seniors?|jubilad[oa]s?|menor(?:es)?|chd|inf|adt|ragazz[oi]'
const allWords =
  'personas?|pasajer[oa]s?|viajer[oa]s?|pax|huespedes|huesped|people|persons?|passengers?|travell?ers?|guests?|personnes?|passagers?|voyageurs?|persone|passegger[oi]|viaggiator[ei]|ospit[ei]|pessoas?|passageiros?|viajantes?|hospedes?'

/** How many travel, where all that is said of it agrees; and how old they are. */
export function findPeople(pasted: Pasted): FoundPeople {
  const totals = [...totalsIn(pasted), ...familiesIn(pasted.plain)]
  const sums = sumsIn(pasted.plain)
  return { travelers: agreed(pasted.plain, totals, sums) ?? listed(pasted), ages: agesIn(pasted) }
}

/** All say the same; the parts of a total may be told too. Rooms each with their people are not added up. */
function agreed(plain: string, totals: FoundNumber[], sums: FoundNumber[]): FoundNumber | undefined {
  const said = totals.length > 0 ? totals : sums
  const values = new Set(said.map(({ value }) => value))
  const [first] = said
  if (!first || values.size > 1 || first.value < 1 || first.value > most) return undefined
  if (sums.some(({ value }) => value > first.value)) return undefined
  if (totals.length === 0 && sums.length > 1 && severalRooms.test(plain)) return undefined
  return first
}

const severalRooms =
  /\b(?:habitacion|room|chambre|camera|quarto)s? ?(?:n?[ºo°.] ?)?[2-9]\b|\b[2-9] (?:habitaciones|rooms|chambres|camere|quartos)\b/

const valueOf = (text: string | undefined): number => (text === undefined ? 0 : (numberWords[text] ?? Number(text)))

const notAll =
  /(?:max\w*\.?|hasta|up to|jusqu'a|fino a|ate|min\w*\.?|capacidad|capacity|capacite|capacita|capienza|por|per|par|cada|a partir de|another|otr[oa]s|desde|entre|between|\d (?:a|o|y|to|or|ou|-)) ?:? ?$/

function totalsIn({ plain }: Pasted): FoundNumber[] {
  const counted = matchesIn(plain, new RegExp(`(?<![\\w.,/:-])${number} ?(?:${allWords})\\b`, 'g'))
  const labelled = matchesIn(
    plain,
    new RegExp(
      `\\b(?:n[ºo°.]{0,2} (?:de |di )?|number of |nombre de |numero (?:de |di )?|total )?(?:${allWords}) ?: ?(\\d{1,2})(?![\\w.)/-]|[,:]\\d| ?x? (?:${partWords}))`,
      'g',
    ),
  )
  return [...counted, ...labelled]
    .filter(match => !notAll.test(plain.slice(Math.max(0, match.index - 14), match.index).replace(/.*\n/, '')))
    .map(match => found(match, valueOf(match[1])))
}

/** `somos 4`, `familia de cinco`. */
const familiesIn = (plain: string): FoundNumber[] =>
  matchesIn(
    plain,
    new RegExp(
      `\\b(?:somos|seremos|viajamos|familia de|we are|family of|party of|group of|grupo de|nous sommes|nous serons|famille de|siamo in|saremo in|famiglia di) ${number}(?![\\w:/%€]|[.,]\\d| (?:${partWords}))`,
      'g',
    ),
  )
    .map(match => found(match, valueOf(match[1])))
    // `nous sommes une famille` counts nobody.
    .filter(({ value }) => value > 1)

const found = (match: RegExpExecArray, value: number): FoundNumber => ({ value, at: [match.index, match.index + match[0].length] })

/** `2 adultos y 2 niños (4 y 7 años)`: what stands together is added up. */
function sumsIn(plain: string): FoundNumber[] {
  const before = matchesIn(plain, new RegExp(`(?<![\\w.,/:€-])${number} ?x? ?(?:${partWords})\\b`, 'g'))
  const behind = matchesIn(
    plain,
    new RegExp(
      `(?<!(?:\\d|${Object.keys(numberWords).join('|')}) ?x? ?)\\b(?:${partWords}) ?(?:\\(\\d{1,2}-\\d{1,2}\\) ?)?:? ?(\\d{1,2})(?![\\w.:/%€-]|,\\d| (?:ano|year|ans|anni|${partWords}))`,
      'g',
    ),
  )
  const parts = (before.length >= behind.length ? before : behind).map(match => found(match, valueOf(match[1])))
  const sums: FoundNumber[] = []
  for (const part of parts) {
    const last = sums.at(-1)
    const gap = last && plain.slice(last.at[1], part.at[0])
    if (last && gap !== undefined && gap.length <= 60 && gapBetween.test(gap)) {
      last.value += part.value
      last.at = [last.at[0], part.at[1]]
    } else sums.push({ ...part })
  }
  return sums
}

const gapBetween =
  /^[\s,+/&|]*(?:\([^)\n]*\)|de [\d ,ye]{1,12}(?:anos|ans)|d[ei] [\d ,e]{1,12}anni|aged [\d ,and]{1,14}|(?:de |di )?\d{1,2} (?:anos|ans|anni|years?(?: old)?))?[\s,+/&|]*(?:y|e|et|and|con|with|avec|com|mas|plus|ed)?\s*$/

/** A list of them, numbered under its title, or by name as reservation systems write them. */
function listed(pasted: Pasted): FoundNumber | undefined {
  const named = matchesIn(pasted.text, /\b[A-Z]{2,25}\/[A-Z]{2,25}(?: [A-Z]{2,15}){0,2} ?\(?(?:MR|MRS|MS|MISS|MSTR|CHD|INF|ADT)\b/g)
  const names = new Map(named.map(match => [match[0], match]))
  const [first, last] = [[...names.values()][0], [...names.values()].at(-1)]
  if (first && last) return { value: names.size, at: [first.index, last.index + last[0].length] }
  return numberedList(pasted.plain)
}

const listTitle = new RegExp(
  `^[ *#|-]*(?:(?:datos de |nombres? de |lista de |names? of |noms? des |dati |nomi |dados |los |the |les |gli |i |dos )?(?:los |the |les |dei |degli )?(?:${allWords})|partecipanti|participantes|participants)\\b[^\\n\\d]{0,60}$`,
  'gm',
)

function numberedList(plain: string): FoundNumber | undefined {
  for (const title of matchesIn(plain, listTitle)) {
    const from = title.index + title[0].length + 1
    let [at, count] = [from, 0]
    while (at < plain.length && count < most) {
      const item = /^\s{0,4}(?:(?:passenger|pasajero|viajero|passager|passeggero|passageiro|adult[oe]?) )?(\d{1,2}) ?[.):-]+ ?[a-z]/.exec(
        plain.slice(at, at + 40),
      )
      if (Number(item?.[1]) !== count + 1) break
      count++
      at = lineEnd(plain, at) + 1
    }
    if (count > 0) return { value: count, at: [from, Math.min(at - 1, plain.length)] }
  }
  return undefined
}

const years = '(?:anos?|ans?|anni|years?(?: old| of age)?|y\\.?o\\.?)'
const aboutPeople = new RegExp(
  `\\b(?:${partWords}|${allWords}|hij[oa]s?|sons?|daughters?|fils|filles?|figli[oae]?|filh[oa]s?|edad(?:es)?|ages?|aged|eta|idades?|mujer|marido|abuel[oa]s?|nonn[oi])\\b`,
)

/** How old they are said to be: 4 and 7 years, where people are spoken of. */
function agesIn(pasted: Pasted): FoundNumber[] {
  const { plain } = pasted
  const pattern = new RegExp(`(?<![\\w.,/:-])((?:\\d{1,2} ?(?:,|y|e|et|and|&|/) ?){0,8}\\d{1,2})(?: ?${years}\\b)`, 'g')
  const labelled = /\b(?:edad(?:es)?|ages?|aged|eta|idades?) ?:? ?((?:\d{1,2} ?(?:,|y|e|et|and|&|\/) ?){0,8}\d{1,2})(?![\d.:/])/g
  const spoken = matchesIn(plain, pattern).filter(match => aboutPeople.test(before(pasted, match.index)))
  const all = [...spoken, ...matchesIn(plain, labelled)].toSorted((a, b) => a.index - b.index)
  const read = all.flatMap(match =>
    [...match[0].matchAll(/\d{1,2}/g)].map(
      ({ 0: digits, index }): FoundNumber => ({ value: Number(digits), at: [match.index + index, match.index + index + digits.length] }),
    ),
  )
  return read.filter(({ at }, index) => read.findIndex(other => other.at[0] === at[0]) === index)
}
