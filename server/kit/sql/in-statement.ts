/** Writes bytes as PostgreSQL reads them from JSON. */
export const inStatement = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`
