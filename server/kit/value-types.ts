import pg from 'pg'

const { builtins } = pg.types

/** How values come out of PostgreSQL: dates stay text, counts are numbers, instants are Date. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === builtins.DATE) return (text: string) => text
    if (oid === builtins.INT8) return readCount
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

function readCount(text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count)) throw new RangeError('a stored whole number is beyond what can be held exactly')
  return count
}
