// All that other features may use of this one (tools/import-boundaries.test.ts).
export { changesBetween } from './changes.ts'
export { insertChange } from './queries.ts'
