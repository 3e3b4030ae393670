import type { Front } from '#server/kit/front.ts'
import type { Files } from './files.ts'
import { serveGetFile } from './get-file.ts'

export function serveDocuments(front: Front, files: Files): void {
  serveGetFile(front, files)
}
