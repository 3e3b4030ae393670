// The exports that other features may use (tools/import-boundaries.test.ts).
export { soldPolicy } from './list/queries.ts'
export type { PolicyRow } from './queries.ts'
export { ownOnly } from './visibility.ts'
