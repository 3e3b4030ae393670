import type { AllUnits, Scope } from '#server/kit/scope.ts'

/** Makes a scope, for a unit that a session was admitted to or for a unit's job. No other code makes one. */
export const scopeOf = (businessUnitId: string): Scope => ({ businessUnitId }) as Scope

/** The scope of callers who were admitted to the administration. */
export const allUnits = { allUnits: true } as AllUnits
