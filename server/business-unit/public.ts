// Other features import only this file of the feature (tools/import-boundaries.test.ts).
export { policyStatusTypes, settings, unitRevision, unitSettings, type UnitSettings } from './settings.ts'
