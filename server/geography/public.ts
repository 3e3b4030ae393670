// The exports that other features may import (tools/import-boundaries.test.ts).
export { seedGeography } from './seed.ts'
