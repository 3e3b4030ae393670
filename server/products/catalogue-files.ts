import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import { type CatalogueUnit, units as unitsFile } from '#common/business-unit/unit.ts'
import * as files from '#common/products/catalogue.ts'
import * as tariffs from '#common/products/tariff.ts'

/** A fault and its place, as the catalogue's editor needs it: file, path within, what is wrong. */
export type Fault = { file: string; path: string; fault: string }

export type Catalogue = {
  insurer: z.output<typeof files.insurer>
  units: CatalogueUnit[]
  logos: Record<string, string>
  zones: tariffs.Zones
  taxes: tariffs.Taxes
  texts: files.CatalogueTexts
  products: files.CatalogueProduct[]
}

/** Reads a folder; what does not have the right shape is told, fault by fault, and left out of what is returned. */
export function readCatalogue(folder: string): { catalogue?: Catalogue; faults: Fault[] } {
  const faults: Fault[] = []
  const read = <S extends z.ZodMiniType>(file: string, schema: S): z.output<S> | undefined => readFile(folder, file, schema, faults)
  const insurer = read('insurer.json', files.insurer)
  const units = read('business-units.json', unitsFile)
  const zones = read('zones.json', tariffs.zones)
  const taxes = read('taxes.json', tariffs.taxes)
  const texts = read('texts.json', files.texts)
  const names = namesOf(join(folder, 'products'))
  if (names.length === 0) faults.push({ file: 'products', path: '', fault: 'holds no product: one JSON file each is expected' })
  const products = names.map(name => read(`products/${name}`, files.product)).filter(product => product !== undefined)
  const logos = Object.fromEntries((units ?? []).map(unit => [unit.key, readLogo(folder, unit.logo, faults)]))
  if (!insurer || !units || !zones || !taxes || !texts) return { faults }
  return { catalogue: { insurer, units, logos, zones, taxes, texts, products }, faults }
}

const namesOf = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(name => name.endsWith('.json'))
        .toSorted()
    : []

function readFile<S extends z.ZodMiniType>(folder: string, file: string, schema: S, faults: Fault[]): z.output<S> | undefined {
  const text = readText(join(folder, file))
  if (text === undefined) {
    faults.push({ file, path: '', fault: 'is missing' })
    return undefined
  }
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    faults.push(...parsed.error.issues.flatMap(issue => faultsOf(file, issue)))
  } catch (error) {
    faults.push({ file, path: placeIn(text, error), fault: `is not JSON: ${(error as Error).message}` })
  }
  return undefined
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Where the reader stumbled, as an editor counts. */
function placeIn(text: string, error: unknown): string {
  const at = /position (\d+)/.exec((error as Error).message)?.[1]
  const before = text.slice(0, at === undefined ? text.length : Number(at)).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

type Issue = z.core.$ZodIssue

function faultsOf(file: string, issue: Issue): Fault[] {
  const path = issue.path.reduce<string>(
    (place, step) => (typeof step === 'number' ? `${place}[${step}]` : place ? `${place}.${String(step)}` : String(step)),
    '',
  )
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({ file, path: path ? `${path}.${key}` : key, fault: 'is not known here' }))
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return [{ file, path, fault: `is missing: ${issue.expected} is expected` }]
  if (issue.code === 'invalid_union') {
    // Of several shapes, the one that came closest says what is wrong.
    const closest = issue.errors.toSorted((a, b) => a.length - b.length)[0] ?? []
    if (closest.length > 0) return closest.flatMap(inner => faultsOf(file, { ...inner, path: [...issue.path, ...inner.path] }))
  }
  return [{ file, path, fault: issue.message }]
}

function readLogo(folder: string, logo: string, faults: Fault[]): string {
  const text = readText(join(folder, logo))
  if (text === undefined) faults.push({ file: logo, path: '', fault: 'is missing, though business-units.json names it' })
  else if (!/^\s*<svg[\s>]/.test(text) || /<script|\son\w+=|javascript:|<foreignObject/i.test(text))
    faults.push({ file: logo, path: '', fault: 'is not a plain SVG picture' })
  return text ?? ''
}
