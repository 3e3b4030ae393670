// The exports that other features may use (tools/import-boundaries.test.ts).
export { isLost, type Files } from './files.ts'
export type { SeesTicketFile } from './may-see.ts'
export { isCheckCode } from './pdf/check.ts'
export type { PolicyDocuments } from './pdf/documents.ts'
export type { DocumentFile } from './versions/listed.ts'
export { type DocumentPerson, type DocumentPrice, editionOf, type ProductTexts, type ReadFacts, type VersionFacts } from './pdf/facts.ts'
export { momentIn } from './pdf/moment.ts'
export { certificateBefore } from './queries.ts'
