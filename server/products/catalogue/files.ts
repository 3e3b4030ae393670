import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import { type CatalogueUnit, units as unitsFile } from '#common/business-unit/unit.ts'
import * as files from '#common/products/catalogue.ts'
import * as documents from '#common/products/documents.ts'
import * as tariffs from '#common/products/tariff.ts'
import { type TicketType, ticketType } from '#common/products/tickets.ts'
import { readJson } from './json.ts'
import { type CatalogueProblem, shapeProblems } from './shape.ts'

export type Catalogue = {
  insurer: files.CatalogueInsurer
  units: CatalogueUnit[]
  logos: Record<string, string>
  zones: tariffs.Zones
  taxes: tariffs.Taxes
  afterSale: tariffs.AfterSale
  texts: files.CatalogueTexts
  information: documents.InformationFile
  conditions: documents.ConditionsFile
  tickets: TicketType[]
  products: files.CatalogueProduct[]
  /** The codes of all product files, also of unreadable ones. */
  codes: string[]
}

/** Reads a folder. Files of the wrong shape are reported and left out of the result. */
export function readCatalogue(folder: string): { found: Partial<Catalogue>; problems: CatalogueProblem[] } {
  const problems: CatalogueProblem[] = []
  const read = <S extends z.ZodMiniType>(file: string, schema: S): z.output<S> | undefined => readFile(folder, file, schema, problems)
  const units = read('business-units.json', unitsFile)
  const products = filesOf(folder, 'products', 'product', problems)
  const tickets = filesOf(folder, 'tickets', 'kind of ticket', problems)
  const parts = {
    insurer: read('insurer.json', files.insurer),
    units,
    logos: units && Object.fromEntries(units.map(unit => [unit.key, readLogo(folder, unit.logo, problems)])),
    zones: read('zones.json', tariffs.zones),
    taxes: read('taxes.json', tariffs.taxes),
    afterSale: read('after-sale.json', tariffs.afterSale),
    texts: read('texts.json', files.texts),
    information: read('documents/information.json', documents.informationFile),
    conditions: read('documents/conditions.json', documents.conditionsFile),
    tickets: tickets
      .flatMap(file => named('tickets', file, 'key', read(`tickets/${file}`, ticketType), problems))
      .toSorted((a, b) => a.order - b.order),
    products: products.flatMap(file => named('products', file, 'code', read(`products/${file}`, files.product), problems)),
    codes: products.map(codeOf),
  }
  return { found: Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)), problems }
}

function filesOf(folder: string, part: string, content: string, problems: CatalogueProblem[]): string[] {
  const names = namesIn(join(folder, part)).filter(name => name.endsWith('.json'))
  if (names.length === 0) problems.push({ file: part, path: '', problem: `holds no ${content}; expected one JSON file for each` })
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

/** Checks that a file is named by the code or key of its content. So no code exists twice, and each problem has its file. */
function named<Content, Name extends keyof Content & string>(
  part: string,
  file: string,
  name: Name,
  content: Content | undefined,
  problems: CatalogueProblem[],
): Content[] {
  if (!content) return []
  const code = codeOf(file)
  if (content[name] !== code)
    problems.push({
      file: `${part}/${file}`,
      path: name,
      problem: `is "${String(content[name])}"; expected "${code}", as the file is called`,
    })
  return [{ ...content, [name]: code }]
}

function readFile<S extends z.ZodMiniType>(folder: string, file: string, schema: S, problems: CatalogueProblem[]): z.output<S> | undefined {
  const report = (path: string, problem: string): undefined => void problems.push({ file, path, problem })
  const text = readText(join(folder, file))
  if (text === undefined) return report('', 'is missing')
  if (text.includes('\ufffd')) return report('', 'is not UTF-8 throughout')
  const json = readJson(text)
  if ('expected' in json) return report(`line ${json.line}, column ${json.column}`, `is not JSON here; expected ${json.expected}`)
  for (const path of json.duplicates) report(path, 'is given twice')
  const parsed = schema.safeParse(json.value)
  if (parsed.success) return parsed.data
  problems.push(...shapeProblems(file, json.value, parsed.error.issues))
  return undefined
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const maxLogoLength = 30_000

/** A logo is part of every page of its unit, so it must be small, self-contained and without scripts. */
function readLogo(folder: string, logo: string, problems: CatalogueProblem[]): string {
  const report = (problem: string): void => void problems.push({ file: logo, path: '', problem })
  const text = readText(join(folder, logo))
  if (text === undefined) report('is missing, though business-units.json names it')
  else if (text.length > maxLogoLength) report(`has ${text.length} characters; expected at most ${maxLogoLength}`)
  else if (!/^\s*<svg[\s>]/.test(text) || /<script|<foreignObject|<!|\son\w+\s*=|href\s*=\s*["']?(?!["']?#)|url\(\s*["']?(?!#)/i.test(text))
    report('is not a plain SVG picture; expected one without scripts, declarations and addresses')
  return text ?? ''
}
