import { oneOf } from '#portal/kit/list/list-params.ts'

/** The purposes of a desk, as the list's URL names them (decision 50). */
const desks = ['change', 'cancel', 'withdraw', 'reinstate', 'versions'] as const
export type DeskKind = (typeof desks)[number]

/** `next=sell` sells anew after the cancellation; `version` and `with` name the versions that are shown. */
export type DeskParam = 'policy' | 'as' | 'desk' | 'next' | 'version' | 'with'

export const deskIn = (param: string | undefined): DeskKind | undefined => oneOf(desks, param)

/** The parameters of a closed desk. */
export const noDesk = { desk: undefined, next: undefined, version: undefined, with: undefined }

/** The desk that takes the card for a step that waits for it. */
export const deskOf = ({ kind }: { kind: string }): DeskKind => (kind === 'reinstatement' ? 'reinstate' : 'change')
