// Measures the reader of pasted bookings on samples whose facts are known.
import { readFileSync } from 'node:fs'
import { countriesIn } from '#common/geography/countries.ts'
import type { Locale } from '#common/kit/locales.ts'
import { earliestBirthDate } from '#common/kit/validators/periods.ts'
import { personParts } from '#common/quotes/paste-people/person.ts'
import { recognise } from '#common/quotes/paste/paste.ts'

/** The day on which all samples are read. */
export const samplesDay = '2026-11-20'

/** A fact of a text: `startDate 2027-01-15`, `2 birthDate 1985-03-12` of the second person. */
type Fact = { text: string; isTicked: boolean }
/** `missed` has free text, too, as `both people`. */
export type Sample = { name: string; locale: Locale; text: string; expected: string[]; missed: string[] }

/** Reads a file of samples, `-` is standard input: a heading with a language and a name, the text, a line of dashes, the facts. */
export const samplesIn = (path: string): Sample[] =>
  readFileSync(path === '-' ? 0 : path, 'utf8')
    .split(/^#### /m)
    .slice(1)
    .map(sample => {
      const [head = '', ...lines] = sample.split('\n')
      const cut = lines.indexOf('----')
      const facts = lines.slice(cut + 1)
      return {
        name: head.slice(6),
        // Safe: each heading of the samples begins with a locale.
        locale: head.slice(0, 5) as Locale,
        text: lines.slice(0, cut).join('\n'),
        expected: facts.filter(line => line && !line.startsWith('missed ')),
        missed: facts.flatMap(line => /^missed (.+)$/.exec(line)?.[1] ?? []),
      }
    })

const countries = countriesIn('es-ES')
const letters = new Map(countries.map(({ id, alpha2 }) => [id, alpha2]))

/** Returns the reader's facts of a text: those of the trip, and those of each person. */
function factsOf({ text, locale }: Sample): { trip: Fact[]; people: Fact[][] } {
  const { found, people } = recognise(text, { today: samplesDay, locale, countries, currency: 'EUR', earliestBirthDate })
  return {
    trip: found.map(({ field, value, isSure }) => ({
      text: `${field} ${field === 'coverageScope' || field === 'mainDestination' ? letters.get(value) : value}`,
      isTicked: isSure,
    })),
    people: people.map(({ value, isSure, doubts }) =>
      personParts.flatMap(part => {
        const text = `${part} ${value[part]}`
        return value[part] === undefined ? [] : [{ text, isTicked: ofName(text) ? isSure : !doubts.includes(part) }]
      }),
    ),
  }
}

/** Returns the written facts of a sample, without the reader's doubts. */
function truthOf({ expected, missed }: Sample): { trip: string[]; people: string[][] } {
  const lines = expected.map(line => line.replace(' (doubtful)', ''))
  return {
    trip: [...lines.filter(line => !line.startsWith('person ')), ...missed],
    people: lines.flatMap(line => (line.startsWith('person ') ? [line.slice(7).split(', ')] : [])),
  }
}

/** The counts of one sample, of its people alone, or of many. `wrongTicked`: wrong facts that are filled in unseen. */
export type Score = { facts: number; found: number; ticked: number; missed: string[]; wrong: string[]; wrongTicked: string[] }

export type Measured = { name: string; all: Score; people: Score; names: Score }

/** Compares what is read with what is written. People are compared in pairs that share the most facts. */
export function measure(sample: Sample): Measured {
  const [read, truth] = [factsOf(sample), truthOf(sample)]
  const shared = (index: number, place: number) =>
    (read.people[place] ?? []).filter(({ text }) => truth.people[index]?.includes(text)).length
  const candidates = truth.people
    .flatMap((_, index) => read.people.map((_, place) => ({ index, place, count: shared(index, place) })))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
  const partners = new Map<number, number>()
  for (const { index, place } of candidates) {
    if (!partners.has(index) && ![...partners.values()].includes(place)) partners.set(index, place)
  }
  const pairs = truth.people.map((facts, index): [Fact[], string[], string] => [
    read.people[partners.get(index) ?? -1] ?? [],
    facts,
    `${index + 1} `,
  ])
  const left = [...read.people.keys()].filter(place => ![...partners.values()].includes(place))
  const surplus = left.map((place): [Fact[], string[], string] => [read.people[place] ?? [], [], `+${place + 1} `])
  const people = sum([...pairs, ...surplus].map(pair => compared(...pair)))
  return {
    name: `${sample.locale.slice(0, 2)} ${sample.name}`,
    all: sum([compared(read.trip, truth.trip, ''), people]),
    people,
    names: sum([...pairs, ...surplus].map(([facts, written, head]) => compared(facts.filter(isName), written.filter(ofName), head))),
  }
}

const ofName = (fact: string): boolean => /^(?:name|middleName|lastName) /.test(fact)
const isName = ({ text }: Fact): boolean => ofName(text)

function compared(read: readonly Fact[], truth: readonly string[], head: string): Score {
  const right = read.filter(({ text }) => truth.includes(text))
  const wrong = read.filter(({ text }) => !truth.includes(text))
  return {
    facts: truth.length,
    found: right.length,
    ticked: right.filter(({ isTicked }) => isTicked).length,
    missed: truth.filter(fact => !read.some(({ text }) => text === fact)).map(fact => head + fact),
    wrong: wrong.map(({ text }) => head + text),
    wrongTicked: wrong.filter(({ isTicked }) => isTicked).map(({ text }) => head + text),
  }
}

export const sum = (scores: readonly Score[]): Score => ({
  facts: scores.reduce((count, { facts }) => count + facts, 0),
  found: scores.reduce((count, { found }) => count + found, 0),
  ticked: scores.reduce((count, { ticked }) => count + ticked, 0),
  missed: scores.flatMap(({ missed }) => missed),
  wrong: scores.flatMap(({ wrong }) => wrong),
  wrongTicked: scores.flatMap(({ wrongTicked }) => wrongTicked),
})

const columns = ['facts', 'found', 'ticked', 'missed', 'wrong', 'wrong+ticked'] as const

/** Returns a table of samples: their facts, and of these those of people. */
export function table(measured: readonly Measured[]): string {
  const cells = ({ facts, found, ticked, missed, wrong, wrongTicked }: Score) =>
    [facts, found, ticked, missed.length, wrong.length, wrongTicked.length].map((count, index) =>
      String(count).padStart(columns[index]?.length ?? 0),
    )
  const line = ({ name, all, people }: Pick<Measured, 'name' | 'all' | 'people'>) =>
    [name.padEnd(34), ...cells(all), '|', ...cells(people)].join('  ')
  const total = { name: 'all', all: sum(measured.map(({ all }) => all)), people: sum(measured.map(({ people }) => people)) }
  return [['sample'.padEnd(34), ...columns, '|', ...columns].join('  '), ...measured.map(line), line(total)].join('\n')
}
