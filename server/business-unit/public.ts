// Other features import only this file of the feature (tools/import-boundaries.test.ts).
export { unitRevision, unitSettings, type UnitSettings } from './queries.ts'
export { policyStatusTypes, settings } from './settings.ts'
