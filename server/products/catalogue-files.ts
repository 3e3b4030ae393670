import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import { type CatalogueUnit, units as unitsFile } from '#common/business-unit/unit.ts'
import * as files from '#common/products/catalogue.ts'
import * as documents from '#common/products/documents.ts'
import * as tariffs from '#common/products/tariff.ts'
import { type TicketType, ticketType } from '#common/products/tickets.ts'
import { readJson } from './catalogue-json.ts'
import { type Fault, shapeFaults } from './catalogue-shape.ts'

export type Catalogue = {
  insurer: files.CatalogueInsurer
  units: CatalogueUnit[]
  logos: Record<string, string>
  zones: tariffs.Zones
  taxes: tariffs.Taxes
  texts: files.CatalogueTexts
  information: documents.InformationFile
  conditions: documents.ConditionsFile
  tickets: TicketType[]
  products: files.CatalogueProduct[]
  /** Of every product that has a file, also of one that cannot be read. */
  codes: string[]
}

/** Reads a folder; what does not have the right shape is told, fault by fault, and left out of what is found. */
export function readCatalogue(folder: string): { found: Partial<Catalogue>; faults: Fault[] } {
  const faults: Fault[] = []
  const read = <S extends z.ZodMiniType>(file: string, schema: S): z.output<S> | undefined => readFile(folder, file, schema, faults)
  const units = read('business-units.json', unitsFile)
  const products = filesOf(folder, 'products', 'product', faults)
  const tickets = filesOf(folder, 'tickets', 'kind of ticket', faults)
  const parts = {
    insurer: read('insurer.json', files.insurer),
    units,
    logos: units && Object.fromEntries(units.map(unit => [unit.key, readLogo(folder, unit.logo, faults)])),
    zones: read('zones.json', tariffs.zones),
    taxes: read('taxes.json', tariffs.taxes),
    texts: read('texts.json', files.texts),
    information: read('documents/information.json', documents.informationFile),
    conditions: read('documents/conditions.json', documents.conditionsFile),
    tickets: tickets
      .flatMap(file => named('tickets', file, 'key', read(`tickets/${file}`, ticketType), faults))
      .toSorted((a, b) => a.order - b.order),
    products: products.flatMap(file => named('products', file, 'code', read(`products/${file}`, files.product), faults)),
    codes: products.map(codeOf),
  }
  return { found: Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)), faults }
}

function filesOf(folder: string, part: string, held: string, faults: Fault[]): string[] {
  const names = namesIn(join(folder, part)).filter(name => name.endsWith('.json'))
  if (names.length === 0) faults.push({ file: part, path: '', fault: `holds no ${held}; expected one JSON file for each` })
  return names.toSorted()
}

const codeOf = (file: string): string => file.replace(/\.json$/, '')

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The file is called by the code or key of what it holds, so that none can be given twice and every fault is found in its file. */
function named<Held, Name extends keyof Held & string>(
  part: string,
  file: string,
  name: Name,
  held: Held | undefined,
  faults: Fault[],
): Held[] {
  if (!held) return []
  const code = codeOf(file)
  if (held[name] !== code)
    faults.push({ file: `${part}/${file}`, path: name, fault: `is "${String(held[name])}"; expected "${code}", as the file is called` })
  return [{ ...held, [name]: code }]
}

function readFile<S extends z.ZodMiniType>(folder: string, file: string, schema: S, faults: Fault[]): z.output<S> | undefined {
  const told = (path: string, fault: string): undefined => void faults.push({ file, path, fault })
  const text = readText(join(folder, file))
  if (text === undefined) return told('', 'is missing')
  if (text.includes('\ufffd')) return told('', 'is not UTF-8 throughout')
  const json = readJson(text)
  if ('expected' in json) return told(`line ${json.line}, column ${json.column}`, `is not JSON here; expected ${json.expected}`)
  for (const path of json.twice) told(path, 'is given twice')
  const parsed = schema.safeParse(json.value)
  if (parsed.success) return parsed.data
  faults.push(...shapeFaults(file, json.value, parsed.error.issues))
  return undefined
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const largestLogo = 30_000

/** A logo goes into every page of its unit, so it is small, asks for nothing elsewhere and runs nothing. */
function readLogo(folder: string, logo: string, faults: Fault[]): string {
  const told = (fault: string): void => void faults.push({ file: logo, path: '', fault })
  const text = readText(join(folder, logo))
  if (text === undefined) told('is missing, though business-units.json names it')
  else if (text.length > largestLogo) told(`has ${text.length} characters; expected at most ${largestLogo}`)
  else if (!/^\s*<svg[\s>]/.test(text) || /<script|<foreignObject|<!|\son\w+\s*=|href\s*=\s*["']?(?!["']?#)|url\(\s*["']?(?!#)/i.test(text))
    told('is not a plain SVG picture; expected one without scripts, declarations and addresses')
  return text ?? ''
}
