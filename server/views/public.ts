// The exports that other features may use (tools/import-boundaries.test.ts).
export { viewsOf } from './queries.ts'
export { countViews, removeView, saveView } from './saved-views.ts'
