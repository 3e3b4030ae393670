import { oneOf } from '#portal/kit/list/list-params.ts'

/** The desks, as the list's URL names them (decision 50). */
const desks = ['change', 'cancel', 'withdraw', 'reinstate', 'versions'] as const
export type DeskKind = (typeof desks)[number]

/** `next=sell` sells anew after the cancellation. `version` and `with` are the versions shown. */
export type DeskParam = 'policy' | 'as' | 'desk' | 'next' | 'version' | 'with'

export const deskIn = (param: string | undefined): DeskKind | undefined => oneOf(desks, param)

/** The parameters that close a desk. */
export const noDesk = { desk: undefined, next: undefined, version: undefined, with: undefined }

/** Returns the desk that takes the card for a step waiting for payment. */
export const deskOf = ({ kind }: { kind: string }): DeskKind => (kind === 'reinstatement' ? 'reinstate' : 'change')
