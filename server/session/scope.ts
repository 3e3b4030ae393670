import type { AllUnits, Scope } from '#server/kit/scope.ts'

/**
 * Makes the scope of a unit that a session was admitted to, or that a stored row, a job or a signed message names. The caller knows where the id is from:
 * an id from a client is for `unitForAdministration` only.
 */
export const scopeOf = (businessUnitId: string): Scope => ({ businessUnitId }) as Scope

/** The scope of callers who were admitted to the administration. */
export const allUnits = { allUnits: true } as AllUnits

/** Makes the scope of any unit, for callers who were admitted to the administration. The id may be from a client. */
export const unitForAdministration = (_all: AllUnits, businessUnitId: string): Scope => scopeOf(businessUnitId)
