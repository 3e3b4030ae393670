// The exports that other features may use (tools/import-boundaries.test.ts).
export { canFileForClient, fileForClient } from './file.ts'
export { hasClaim, ticketsOfPolicySince } from './queries.ts'
