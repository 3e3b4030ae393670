/** The documents of a sold policy, in display order. */
export const documentKinds = ['certificate', 'receipt', 'information', 'conditions'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** All kinds in the file store: policy documents, a saved quote's document, and uploads. */
export const fileKinds = [...documentKinds, 'offer', 'upload', 'ticket', 'logo'] as const
export type FileKind = (typeof fileKinds)[number]
