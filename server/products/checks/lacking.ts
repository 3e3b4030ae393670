import type * as z from 'zod/mini'
import * as files from '#common/products/catalogue.ts'
import * as documents from '#common/products/documents.ts'
import * as tariffs from '#common/products/tariff.ts'
import type { Database } from '#server/kit/database.ts'
import { shapeProblems } from '../catalogue/shape.ts'
import { currentContents } from '../queries.ts'
import type { CommonContent, ProductContent } from '../tables.ts'
import { lackingTerms } from './servicing.ts'

/** Returns the files and fields of this version that the loaded catalogue lacks, as one of an older version does. */
export async function lackingInCatalogue(database: Pick<Database, 'asService'>): Promise<string[]> {
  const { common, products } = await database.asService(currentContents)
  if (!common) return []
  return [...missingInCommon(common), ...products.flatMap(missingInProduct), ...lackingTerms(common, products)].toSorted()
}

const missingInCommon = ({ insurer, zones, taxes, texts, information, conditions, afterSale }: CommonContent): string[] => [
  ...missingIn('insurer.json', files.insurer, insurer),
  ...missingIn('zones.json', tariffs.zones, zones),
  ...missingIn('taxes.json', tariffs.taxes, taxes),
  ...missingIn('texts.json', files.texts, texts),
  ...missingIn('documents/information.json', documents.informationFile, information),
  ...missingIn('documents/conditions.json', documents.conditionsFile, conditions),
  ...(afterSale ? missingIn('after-sale.json', tariffs.afterSale, afterSale) : []),
]

/** Returns the fields that a product lacks. Its tariff and commissions are in tables of their own. */
function missingInProduct(product: ProductContent): string[] {
  const missing = missingIn(`products/${product.code}.json`, files.product, product)
  return [
    ...missing.filter(name => !/: (?:tariff|commissionPercent)$/.test(name)),
    ...(product.settings?.insures ? [] : [`products/${product.code}.json: settings.insures`]),
  ]
}

/** Names a field once, however many entries of a list lack it. */
function missingIn(file: string, schema: z.ZodMiniType, value: unknown): string[] {
  const parsed = schema.safeParse(value)
  if (parsed.success) return []
  const missing = shapeProblems(file, value, parsed.error.issues).filter(({ problem }) => /^(?:is missing|lacks one of)/.test(problem))
  return [...new Set(missing.map(({ path }) => (path ? `${file}: ${path.replaceAll(/\[\d+\]/g, '[]')}` : file)))]
}
