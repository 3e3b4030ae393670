export type Difference = { path: string; before: string | null; after: string | null }

/**
 * Returns the differences of two contents, path by path. List items with a unique name (code, id, key, kind) match by it.
 * An inserted item thus does not make all items after it look changed.
 */
export function compare(before: unknown, after: unknown, path = ''): Difference[] {
  if (Object.is(before, after)) return []
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap(name => compare(before[name], after[name], path ? `${path}.${name}` : name))
  }
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path)
  const [one, other] = [written(before), written(after)]
  return one === other ? [] : [{ path, before: one, after: other }]
}

function compareLists(before: unknown[], after: unknown[], path: string): Difference[] {
  const name = ['code', 'id', 'key', 'kind'].find(each => isNamedBy(before, each) && isNamedBy(after, each))
  if (name === undefined) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, index) => compare(before[index], after[index], `${path}[${index}]`)).flat()
  }
  const byName = (list: unknown[]) => Object.fromEntries(list.flatMap(item => (isObject(item) ? [[String(item[name]), item]] : [])))
  const [one, other] = [byName(before), byName(after)]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.flatMap(each => compare(one[each], other[each], `${path}[${each}]`))
}

/** Returns whether every item has this name and no two share it. */
function isNamedBy(list: unknown[], name: string): boolean {
  const names = list.map(item => (isObject(item) ? item[name] : undefined))
  return names.every(each => typeof each === 'string' || typeof each === 'number') && new Set(names).size === list.length
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const longest = 400

function written(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
