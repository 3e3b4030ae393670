import type { Scope } from '#server/kit/scope.ts'

/** The only place where a scope is made: of a unit that a session was admitted to, or of a job that belongs to a unit. */
export const scopeOf = (businessUnitId: string): Scope => ({ businessUnitId }) as Scope
