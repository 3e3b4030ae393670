import { type CoverGroup, coverGroupOf, coverGroups } from './cover.ts'

type Cover = { code?: string | null; name: string; value: string }

/** A cover in words. It differs unless every product with covers of its group has it in the same words. */
type ComparedCover = { name: string; value: string; isDifferent: boolean }

/** The covers of a product in a group. If there are none, it lacks the group, or `isUnknown` as its covers have no codes. */
export type ComparedCell = { covers: ComparedCover[]; isUnknown: boolean }

/** A group of covers with a cell for each product. The row without a group has the covers without codes. */
export type ComparedRow = { group: CoverGroup | undefined; cells: ComparedCell[]; isDifferent: boolean }

/** Compares products by the codes of their covers, as product names for one cover differ. */
export function compareCovers(products: readonly { coverages: readonly Cover[] }[]): ComparedRow[] {
  return [...coverGroups, undefined].flatMap(group => {
    const columns = products.map(({ coverages }) => coverages.filter(({ code }) => coverGroupOf(code) === group))
    const filled = columns.filter(covers => covers.length > 0)
    if (filled.length === 0) return []
    const differs = (cover: Cover) => !filled.every(covers => covers.some(other => isSame(cover, other)))
    const cells = columns.map((covers, index) => ({
      covers: covers.map(cover => ({ name: cover.name, value: cover.value, isDifferent: differs(cover) })),
      isUnknown: covers.length === 0 && group !== undefined && hasUncoded(products[index]?.coverages ?? []),
    }))
    const isDifferent = filled.length < products.length || cells.some(({ covers }) => covers.some(({ isDifferent }) => isDifferent))
    return [{ group, cells, isDifferent }]
  })
}

/** Returns the covers of a row that distinguish its products. All of them if a product has no others. */
export function tellingApart({ cells }: ComparedRow): ComparedCell[] {
  if (cells.some(({ covers }) => covers.length === 0)) return cells
  return cells.map(cell => ({ ...cell, covers: cell.covers.filter(({ isDifferent }) => isDifferent) }))
}

const hasUncoded = (coverages: readonly Cover[]): boolean => coverages.some(({ code }) => coverGroupOf(code) === undefined)

/** A name includes conditions, such as the hours of a delay, so another name is another cover. */
const isSame = (one: Cover, other: Cover): boolean =>
  (one.code ?? null) === (other.code ?? null) && one.name === other.name && one.value === other.value
