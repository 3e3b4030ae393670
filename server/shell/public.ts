// All that other features may use of this one (tools/import-boundaries.test.ts).
export { readRouteRules } from './route-rules.ts'
