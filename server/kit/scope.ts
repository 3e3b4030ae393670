declare const sealed: unique symbol

/**
 * The business unit on whose behalf rows are read and written. Only the session room makes one (`server/session/scope.ts`),
 * so a function that asks for a scope cannot be called with an id that came from a client.
 */
export type Scope = { readonly businessUnitId: string; readonly [sealed]: true }

/** All units at once: the administration's. Made by the session room too, for whoever has b2b-admin. */
export type AllUnits = { readonly allUnits: true; readonly [sealed]: true }
