import { createHash } from 'node:crypto'
import type { BroughtKind } from '#common/kit/files.ts'
import { inspectDocx } from './docx.ts'
import type { FileProblem } from './markers.ts'
import { endsAs } from './names.ts'
import { inspectPdf } from './pdf.ts'
import { inspectHeic, inspectJpg, inspectPng } from './pictures.ts'

/** An accepted file: its kind, and its bytes up to the end that its format defines. */
export type Inspected = { kind: BroughtKind; content: Buffer }

/** Inspects a file by its content. The type that the browser sends is ignored, and the name must match the content. */
export async function inspectFile(name: string, bytes: Buffer): Promise<Inspected | FileProblem> {
  if (bytes.length === 0) return 'empty'
  const kind = kindOf(bytes)
  if (!kind) return 'kind'
  if (!endsAs(name, kind)) return 'ending'
  const content = await inspectors[kind](bytes)
  return typeof content === 'string' ? content : { kind, content }
}

/** Inspects a file, and adds the digest of all its bytes. */
export async function inspectWithDigest(name: string, bytes: Buffer): Promise<(Inspected & { digest: string }) | FileProblem> {
  const digest = createHash('sha256').update(bytes).digest('hex')
  const result = await inspectFile(name, bytes)
  return typeof result === 'string' ? result : { ...result, digest }
}

const inspectors: Record<BroughtKind, (bytes: Buffer) => Buffer | FileProblem | Promise<Buffer | FileProblem>> = {
  pdf: inspectPdf,
  jpg: inspectJpg,
  png: inspectPng,
  heic: inspectHeic,
  docx: inspectDocx,
}

/** Returns the kind by the first bytes. Anything before them would make the file another kind for some program. */
function kindOf(bytes: Buffer): BroughtKind | undefined {
  const head = bytes.subarray(0, 16).toString('latin1')
  if (head.startsWith('%PDF-')) return 'pdf'
  if (head.startsWith('\xff\xd8\xff')) return 'jpg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('PK\x03\x04')) return 'docx'
  return head.slice(4, 8) === 'ftyp' ? 'heic' : undefined
}
