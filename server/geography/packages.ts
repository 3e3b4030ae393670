import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { iso31661, iso31662 } from 'iso-3166'
import type { CityRow, Places, State } from './queries.ts'

const require = createRequire(import.meta.url)

/** Returns the places of the installed packages (THIRD-PARTY.md). They have all countries' states, and cities of France and Italy. */
export function placesOfPackages(): Places {
  const places: Places = new Map(iso31661.map(({ numeric, alpha2, name }) => [Number(numeric), leavesOf(Number(numeric), alpha2, name)]))
  places.set(250, france())
  places.set(380, italy())
  return places
}

const parents = new Set(iso31662.map(({ parent }) => parent))
const nameOf = new Map(iso31662.map(({ code, name }) => [code, name]))

/** Returns the smallest divisions of the standard: provinces if it has both regions and provinces. */
function leavesOf(country: number, alpha2: string, countryName: string): State[] {
  const leaves = iso31662
    .filter(({ code }) => code.startsWith(`${alpha2}-`) && !parents.has(code))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code, name }, index) => ({ id: country * 1000 + index + 1, code: code.slice(3), name: plain(name), cities: [] }))
  // A country without divisions in the standard gets one state.
  return leaves.length > 0 ? leaves : [{ id: country * 1000 + 1, code: alpha2, name: plain(countryName), cities: [] }]
}

const plain = (name: string): string => name.replaceAll(/\s*[[(][^\])]*[\])]/g, '').trim()

// Safe: each caller names the type of a file in a pinned package.
const readJson = <T>(name: string): T => JSON.parse(readFileSync(require.resolve(name), 'utf8')) as T

type Commune = { code: string; nom: string; type: string; departement?: string; codesPostaux?: string[] }

function france(): State[] {
  const departments = readJson<{ code: string; nom: string }[]>('@etalab/decoupage-administratif/data/departements.json')
  const communes = readJson<Commune[]>('@etalab/decoupage-administratif/data/communes.json').filter(
    ({ type, codesPostaux }) => type === 'commune-actuelle' && codesPostaux?.length,
  )
  const byDepartment = Map.groupBy(communes, ({ departement }) => departement)
  return departments
    .filter(({ code }) => byDepartment.has(code))
    .map(({ code, nom }) => {
      const id = 250_000 + Number(code.replace('2A', '201').replace('2B', '202'))
      const cities = (byDepartment.get(code) ?? []).map(
        (commune): CityRow => [id * 1000 + Number(commune.code.slice(-3)), commune.nom, commune.codesPostaux ?? []],
      )
      return { id, code, name: nom, cities }
    })
}

type ItalianRegions = { regioni: { province: { code: string; comuni: { code: string; cap: string; nome: string }[] }[] }[] }

/** Provinces of the package that the standard no longer has, or has as a region. */
const formerProvinces: Record<string, string> = {
  AO: 'Valle d’Aosta',
  CI: 'Carbonia-Iglesias',
  OG: 'Ogliastra',
  OT: 'Olbia-Tempio',
  VS: 'Medio Campidano',
}

/**
 * Returns Italy's provinces. Their numbers are those of ISTAT, the first three digits of the communes' codes. A large city has the beginning that
 * its postal codes share: the package writes `001xx`.
 */
function italy(): State[] {
  // Safe: the package is pinned, and this is the part of its format that is used.
  const { comuni } = require('italia') as { comuni: ItalianRegions }
  return comuni.regioni
    .flatMap(({ province }) => province)
    .map(province => {
      const id = 380_000 + Number(mostCommon(province.comuni.map(({ code }) => code.slice(0, 3))))
      const cities = province.comuni.map(
        ({ code, nome, cap }): CityRow => [
          id * 1000 + Number(code.slice(3)),
          nome,
          /^\d{3,5}x*$/.test(cap) ? [cap.replace(/x+$/, '')] : [],
        ],
      )
      return {
        id,
        code: province.code,
        name: plain(nameOf.get(`IT-${province.code}`) ?? formerProvinces[province.code] ?? province.code),
        cities,
      }
    })
}

function mostCommon(values: string[]): string {
  const groups = [...Map.groupBy(values, value => value).values()]
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? '0'
}
