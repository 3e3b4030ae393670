import type { AllUnits, Scope } from '#server/kit/scope.ts'

/** The only place where a scope is made: of a unit that a session was admitted to, or of a job that belongs to a unit. */
export const scopeOf = (businessUnitId: string): Scope => ({ businessUnitId }) as Scope

/** For whoever was admitted to the administration, and for nobody else. */
export const allUnits = { allUnits: true } as AllUnits
