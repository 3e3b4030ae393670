import type { AllUnits, Scope } from '#server/kit/scope.ts'

/**
 * Makes a scope, for a unit that a session was admitted to, or for the unit of a stored row, of a job or of a signed message. Its caller knows where
 * the id is from; an id from a client is for `unitForAdministration` only.
 */
export const scopeOf = (businessUnitId: string): Scope => ({ businessUnitId }) as Scope

/** The scope of callers who were admitted to the administration. */
export const allUnits = { allUnits: true } as AllUnits

/** Makes the scope of any unit, for callers who were admitted to the administration. The id may be from a client. */
export const unitForAdministration = (_all: AllUnits, businessUnitId: string): Scope => scopeOf(businessUnitId)
