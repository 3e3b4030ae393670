// All that other features may use of this one (tools/import-boundaries.test.ts).
export { isLost, type Files } from './files.ts'
export type { SeesTicketFile } from './may-see.ts'
export { isCheckCode } from './pdf/check.ts'
export type { PaperFile, Papers } from './pdf/documents.ts'
export type { PaperPerson, PaperPrice, ProductTexts, ReadFacts } from './pdf/facts.ts'
export { readS3Url } from './s3.ts'
