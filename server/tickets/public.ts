// The exports that other features may use (tools/import-boundaries.test.ts).
export { type ClaimOfMonth, claimOf, claimsAfter } from './claims/queries.ts'
export { canFileForClient, fileForClient } from './file.ts'
export { bodyOf, wordsOf } from './sealed/words.ts'
export type { StoredForm } from './tables.ts'
export { ticketsOfPolicySince } from './queries.ts'
