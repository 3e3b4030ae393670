import { oneOf } from '#portal/kit/list/list-params.ts'

/** What the desk is open for, as the list's URL says it (decision 50). */
const desks = ['change', 'cancel', 'withdraw', 'reinstate', 'versions'] as const
export type DeskKind = (typeof desks)[number]

/** `then=sell` sells anew after the cancellation; `version` and `with` name the versions that are shown. */
export type DeskParam = 'policy' | 'as' | 'desk' | 'then' | 'version' | 'with'

export const deskIn = (param: string | undefined): DeskKind | undefined => oneOf(desks, param)

/** The parameters of a closed desk. */
export const noDesk = { desk: undefined, then: undefined, version: undefined, with: undefined }
