// The exports that other features may use (tools/import-boundaries.test.ts).
export { hasClaim } from './queries.ts'
