/** The documents that are generated for each sale. Those of the product are generated once. */
export const saleKinds = ['certificate', 'receipt'] as const
/** The documents that a step of a sold policy makes, in display order. */
export const stepDocumentKinds = ['cancellation', 'withdrawal', 'supplement', 'certificate', 'receipt', 'credit_note'] as const
export type StepDocumentKind = (typeof stepDocumentKinds)[number]

/** The documents of a sold policy, in display order. */
export const documentKinds = [...stepDocumentKinds, 'information', 'conditions'] as const

/**
 * All kinds in the file store: policy documents, a saved quote's document, the proof of its client's answer, uploads, copies of a person's data, and
 * letters about them.
 */
export const fileKinds = [...documentKinds, 'offer', 'proof', 'upload', 'ticket', 'logo', 'copy', 'letter'] as const
export type FileKind = (typeof fileKinds)[number]

/** True for files that the service makes of a policy, a saved quote or a product. */
export const isDocument = (kind: FileKind): boolean => kind === 'offer' || documentKinds.some(each => each === kind)
