import * as z from 'zod/mini'

/** The schemas that the OpenAPI document names. A part with a name is described once, and generated clients call it so. */
export const names = z.registry<{ id: string }>()
