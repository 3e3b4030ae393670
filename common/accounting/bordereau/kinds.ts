/** A row of a bordereau is a movement with its premium, or a claim that was filed or changed. */
export const bordereauKinds = ['premium', 'claims'] as const

export type BordereauKind = (typeof bordereauKinds)[number]
