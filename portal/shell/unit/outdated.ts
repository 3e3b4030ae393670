// All that a portal without new settings needs: one file, which is loaded when a payload could not be.
export { askUserAlone, showKept } from './kept.ts'
export { UnitReload } from './unit-reload.tsx'
