declare const sealed: unique symbol

/**
 * The business unit on whose behalf rows are read and written. Only the session feature's functions create one (`server/session/scope.ts`), so a
 * function that takes a scope cannot be called with a mere id, such as one from a client.
 */
export type Scope = { readonly businessUnitId: string; readonly [sealed]: true }

/** The administration's access to all units. The session feature creates it, too, for users with b2b-admin. */
export type AllUnits = { readonly allUnits: true; readonly [sealed]: true }
