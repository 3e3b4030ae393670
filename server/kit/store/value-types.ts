import pg from 'pg'

const { DATE: dateType, INT8: wholeNumberType } = pg.types.builtins

/** Parses values of PostgreSQL: dates stay text, counts become numbers, instants become Date. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(type, format) {
    if (type === dateType) return (text: string) => text
    if (type === wholeNumberType) return readCount
    return pg.types.getTypeParser(type, format)
  },
}

function readCount(text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count)) throw new RangeError('a stored whole number is beyond what can be held exactly')
  return count
}

/** Writes bytes as PostgreSQL reads them from JSON. */
export const inStatement = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`
