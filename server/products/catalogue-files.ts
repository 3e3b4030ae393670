import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import { type CatalogueUnit, units as unitsFile } from '#common/business-unit/unit.ts'
import * as files from '#common/products/catalogue.ts'
import * as documents from '#common/products/documents.ts'
import * as tariffs from '#common/products/tariff.ts'
import { readJson } from './catalogue-json.ts'
import { shapeFaults } from './catalogue-shape.ts'

/** A fault and its place, as the catalogue's editor needs it: file, path within, what is wrong and what was expected. */
export type Fault = { file: string; path: string; fault: string }

export type Catalogue = {
  insurer: files.CatalogueInsurer
  units: CatalogueUnit[]
  logos: Record<string, string>
  zones: tariffs.Zones
  taxes: tariffs.Taxes
  texts: files.CatalogueTexts
  information: documents.InformationFile
  conditions: documents.ConditionsFile
  products: files.CatalogueProduct[]
  /** Of every product that has a file, also of one that cannot be read. */
  codes: string[]
}

/** Reads a folder; what does not have the right shape is told, fault by fault, and left out of what is found. */
export function readCatalogue(folder: string): { found: Partial<Catalogue>; faults: Fault[] } {
  const faults: Fault[] = []
  const read = <S extends z.ZodMiniType>(file: string, schema: S): z.output<S> | undefined => readFile(folder, file, schema, faults)
  const units = read('business-units.json', unitsFile)
  const products = productFiles(folder, faults)
  const parts = {
    insurer: read('insurer.json', files.insurer),
    units,
    logos: units && Object.fromEntries(units.map(unit => [unit.key, readLogo(folder, unit.logo, faults)])),
    zones: read('zones.json', tariffs.zones),
    taxes: read('taxes.json', tariffs.taxes),
    texts: read('texts.json', files.texts),
    information: read('documents/information.json', documents.informationFile),
    conditions: read('documents/conditions.json', documents.conditionsFile),
    products: products.flatMap(file => named(file, read(`products/${file}`, files.product), faults)),
    codes: products.map(codeOf),
  }
  return { found: Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)), faults }
}

function productFiles(folder: string, faults: Fault[]): string[] {
  const names = namesIn(join(folder, 'products')).filter(name => name.endsWith('.json'))
  if (names.length === 0) faults.push({ file: 'products', path: '', fault: 'holds no product; expected one JSON file for each' })
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

/** The file is called by the product's code, so that no code can be given twice and every fault is found in its file. */
function named(file: string, product: files.CatalogueProduct | undefined, faults: Fault[]): files.CatalogueProduct[] {
  if (!product) return []
  const code = codeOf(file)
  if (product.code !== code)
    faults.push({ file: `products/${file}`, path: 'code', fault: `is "${product.code}"; expected "${code}", as the file is called` })
  return [{ ...product, code }]
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
