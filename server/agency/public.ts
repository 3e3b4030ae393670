// The exports that other features may import (tools/import-boundaries.test.ts).
export { changesBetween } from './profile.ts'
export { insertChange } from './queries.ts'
