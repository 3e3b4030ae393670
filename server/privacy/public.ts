export { openSuppressions } from './suppressions.ts'
