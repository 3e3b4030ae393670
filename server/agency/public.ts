// The exports that other features may import (tools/import-boundaries.test.ts).
export { changesBetween } from './changes.ts'
export { insertChange } from './queries.ts'
