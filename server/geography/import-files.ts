import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { iso31661 } from 'iso-3166'
import { linesOf } from '#server/kit/store/lines.ts'
import type { CityRow, Places, State } from './queries.ts'

type BadLine = { file: string; line: number; problem: string }
export type Imported = { places: Places; badLines: BadLine[]; files: string[]; withCities: Set<number>; ids: Set<number> }

type Lines = AsyncIterable<{ line: number; columns: string[] }>

/** Returns a country's stored states and cities, for a folder that has only one of them. */
export type KnownStates = (countryId: number) => Promise<State[]>

/**
 * Reads a folder of our own tables and GeoNames' postal dumps. They are `states.tsv`, `cities-*.tsv` and `XX.txt`, also compressed as .gz. Returns bad
 * lines by file and number; a folder that has one is not imported.
 */
export async function readFolder(folder: string, known: KnownStates, progress: (file: string, lines: number) => void): Promise<Imported> {
  const imported: Imported = { places: new Map(), badLines: [], files: [], withCities: new Set(), ids: new Set() }
  const names = readdirSync(folder).toSorted()
  const read = async (pattern: RegExp, take: (file: string, lines: Lines) => Promise<void>) => {
    for (const file of names.filter(name => pattern.test(name))) {
      await take(
        file,
        rowsOf(join(folder, file), count => progress(file, count)),
      )
      imported.files.push(file)
    }
  }
  await read(/^states\.tsv(\.gz)?$/, (file, lines) => takeStates(imported, file, lines))
  await read(/^cities-[\w-]+\.tsv(\.gz)?$/, (file, lines) => takeCities(imported, file, lines, known))
  await read(/^[A-Z]{2}\.txt(\.gz)?$/, (file, lines) => takeGeoNames(imported, file, lines, known))
  await keepCities(imported, known)
  return imported
}

async function keepCities({ places, withCities }: Imported, known: KnownStates): Promise<void> {
  for (const [countryId, states] of places) {
    if (withCities.has(countryId)) continue
    const cities = new Map((await known(countryId)).map(state => [state.id, state.cities]))
    for (const state of states) state.cities = cities.get(state.id) ?? []
  }
}

async function* rowsOf(path: string, progress: (count: number) => void): Lines {
  let line = 0
  for await (const text of linesOf(path, path.endsWith('.gz'))) {
    line += 1
    if (line % 5000 === 0) progress(line)
    if (text !== '') yield { line, columns: text.split('\t') }
  }
  progress(line)
}

const isId = (text: string | undefined): boolean => /^[1-9]\d{0,8}$/.test(text ?? '')

function isDuplicate(ids: Set<number>, id: number): boolean {
  if (ids.has(id)) return true
  ids.add(id)
  return false
}

const countryIds = new Map(iso31661.map(({ alpha2, numeric }) => [alpha2, Number(numeric)]))
const knownCountries = new Set(countryIds.values())

async function takeStates({ places, badLines, ids }: Imported, file: string, lines: Lines): Promise<void> {
  for await (const { line, columns } of lines) {
    const [id, countryId, iso, code, name] = columns
    if (line === 1 && id === 'id') continue
    if (!isId(id) || !knownCountries.has(Number(countryId)) || !name) {
      badLines.push({ file, line, problem: 'expected id, country, ISO code, code and name' })
      continue
    }
    // A city's country follows from the number of its state.
    if (Math.floor(Number(id) / 1000) !== Number(countryId))
      badLines.push({ file, line, problem: `state ${id} is numbered outside its country` })
    if (isDuplicate(ids, Number(id))) badLines.push({ file, line, problem: `state ${id} is there twice` })
    const states = places.get(Number(countryId)) ?? []
    states.push({ id: Number(id), code: (iso ?? '').slice(3) || (code ?? ''), name, cities: [] })
    places.set(Number(countryId), states)
  }
}

async function takeCities({ places, badLines, withCities, ids }: Imported, file: string, lines: Lines, known: KnownStates): Promise<void> {
  for await (const { line, columns } of lines) {
    const [id, stateId, name, zipCode, others = ''] = columns
    if (line === 1 && id === 'id') continue
    if (!isId(id) || !isId(stateId) || !name) {
      badLines.push({ file, line, problem: 'expected id, state, name and postal codes' })
      continue
    }
    if (isDuplicate(ids, Number(id))) badLines.push({ file, line, problem: `city ${id} is there twice` })
    const countryId = Math.floor(Number(stateId) / 1000)
    const states = places.get(countryId) ?? (await known(countryId))
    places.set(countryId, states)
    if (!withCities.has(countryId)) for (const each of states) each.cities = []
    withCities.add(countryId)
    const state = states.find(each => each.id === Number(stateId))
    if (state) state.cities.push([Number(id), name, [zipCode ?? '', ...others.split(' ')].filter(Boolean)])
    else badLines.push({ file, line, problem: `state ${stateId} is not known` })
  }
}

/** Reads a GeoNames dump. A place belongs to the state whose code or name it has, the smaller division first, else to a new state. */
async function takeGeoNames({ places, badLines, withCities }: Imported, file: string, lines: Lines, known: KnownStates): Promise<void> {
  const countryId = countryIds.get(file.slice(0, 2)) ?? 0
  const before = await known(countryId)
  const states = places.get(countryId) ?? before.map(state => ({ ...state }))
  for (const state of states) state.cities = []
  const zipCodes = new Map<State, Map<string, string[]>>()
  for await (const { line, columns } of lines) {
    const [country, zipCode, place, name1 = '', code1 = '', name2 = '', code2 = ''] = columns
    if (columns.length < 9 || country !== file.slice(0, 2) || !zipCode || !place) {
      badLines.push({ file, line, problem: 'expected the twelve columns of a GeoNames postal dump of this country' })
      continue
    }
    const state = findState(states, [code2, name2, code1, name1]) ?? addState(states, countryId, name1 || name2 || place)
    const cities = zipCodes.get(state) ?? new Map<string, string[]>()
    cities.set(place, [...(cities.get(place) ?? []), zipCode])
    zipCodes.set(state, cities)
  }
  numberCities(countryId, states, zipCodes, before)
  places.set(countryId, states)
  withCities.add(countryId)
}

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

function findState(states: State[], hints: string[]): State | undefined {
  for (const hint of hints.filter(Boolean)) {
    const state = states.find(({ code, name }) => code === hint || folded(name) === folded(hint))
    if (state) return state
  }
  return undefined
}

function addState(states: State[], countryId: number, name: string): State {
  const state = { id: Math.max(countryId * 1000, ...states.map(({ id }) => id)) + 1, code: '', name, cities: [] }
  states.push(state)
  return state
}

/**
 * Numbers the cities, because a dump has no ids. A known city keeps its id, because sold policies refer to it. New cities get the next numbers after
 * the highest, in the order of state and name.
 */
function numberCities(countryId: number, states: State[], zipCodesOf: Map<State, Map<string, string[]>>, before: State[]): void {
  const cities = before.flatMap(state => state.cities.map(([id, name]) => ({ id, key: `${state.id} ${name}` })))
  const idOf = new Map(cities.toReversed().map(({ id, key }) => [key, id]))
  let last = cities.reduce((highest, { id }) => Math.max(highest, id), countryId * 1_000_000)
  for (const state of states) {
    const names = [...(zipCodesOf.get(state) ?? new Map<string, string[]>())].toSorted(([a], [b]) => (a < b ? -1 : 1))
    state.cities = names.map(([name, zipCodes]): CityRow => [idOf.get(`${state.id} ${name}`) ?? (last += 1), name, [...new Set(zipCodes)]])
  }
}
