import { createHash } from 'node:crypto'
import type { BroughtKind } from '#common/kit/files.ts'
import { judgeDocx } from './docx.ts'
import type { FileProblem } from './markers.ts'
import { endsAs } from './names.ts'
import { judgePdf } from './pdf.ts'
import { judgeHeic, judgeJpg, judgePng } from './pictures.ts'

/** A file as it may be kept: its kind, and its bytes up to where that kind ends. */
export type Judged = { kind: BroughtKind; content: Buffer }

/** A file is what is in it. The type that a browser tells counts for nothing, and the name must agree. */
export async function judge(name: string, bytes: Buffer): Promise<Judged | FileProblem> {
  if (bytes.length === 0) return 'empty'
  const kind = kindOf(bytes)
  if (!kind) return 'kind'
  if (!endsAs(name, kind)) return 'ending'
  const content = await judges[kind](bytes)
  return typeof content === 'string' ? content : { kind, content }
}

/** As above, with the digest of what came. */
export async function judgeWhole(name: string, bytes: Buffer): Promise<(Judged & { digest: string }) | FileProblem> {
  const digest = createHash('sha256').update(bytes).digest('hex')
  const judged = await judge(name, bytes)
  return typeof judged === 'string' ? judged : { ...judged, digest }
}

const judges: Record<BroughtKind, (bytes: Buffer) => Buffer | FileProblem | Promise<Buffer | FileProblem>> = {
  pdf: judgePdf,
  jpg: judgeJpg,
  png: judgePng,
  heic: judgeHeic,
  docx: judgeDocx,
}

/** By the very first bytes: what begins with something else is something else, to one program or another. */
function kindOf(bytes: Buffer): BroughtKind | undefined {
  const head = bytes.subarray(0, 16).toString('latin1')
  if (head.startsWith('%PDF-')) return 'pdf'
  if (head.startsWith('\xff\xd8\xff')) return 'jpg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('PK\x03\x04')) return 'docx'
  return head.slice(4, 8) === 'ftyp' ? 'heic' : undefined
}
