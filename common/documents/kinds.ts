/** The papers that a policy has when it is sold, in the order in which they are shown. */
export const paperKinds = ['certificate', 'receipt', 'information', 'conditions'] as const
export type PaperKind = (typeof paperKinds)[number]

/** All that the file store keeps: papers, a budget's offer, and what people bring. */
export const fileKinds = [...paperKinds, 'offer', 'upload', 'ticket', 'logo'] as const
export type FileKind = (typeof fileKinds)[number]
