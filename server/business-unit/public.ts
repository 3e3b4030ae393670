// All that other features may use of this one (tools/import-boundaries.test.ts).
export { unitSettings, type UnitSettings } from './queries.ts'
export { policyStatusTypes, settings } from './settings.ts'
