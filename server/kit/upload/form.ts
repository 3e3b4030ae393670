import { createHash } from 'node:crypto'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { type BroughtKind, fileKindNames, fileKinds, megabyte } from '#common/kit/files.ts'
import { type Problem } from '#common/kit/problems.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { Workers } from '#server/kit/workers/workers.ts'
import { judgeApart } from './inspect-in-worker.ts'
import type { FileProblem } from './markers.ts'
import { cleanName } from './names.ts'
import { mostMegapixels } from './pictures.ts'

/** A file that was judged, under the name that it may be shown by. */
export type JudgedFile = { name: string; kind: BroughtKind; mediaType: string; content: Buffer }
export type KeptFile = { id: string; name: string; kind: BroughtKind; size: number }

/** Where a room keeps what is brought, before it is known whether the question around it is well-formed; and how it lets go of it. */
export type Keeping = {
  keep(caller: CallerInUnit, file: JudgedFile): Promise<KeptFile>
  drop(caller: CallerInUnit, file: KeptFile): Promise<unknown>
}

export type FileLimits = { most: number; megabytes: number }
type Taking = { workers: Workers; caller: CallerInUnit; keeping: Keeping }
export type Form = { fields: Record<string, unknown>; files: KeptFile[]; digest: string }

/** Each holds one file of ten megabytes at most in memory; whoever comes when all are at work, or has his own share, is asked to come again. */
const mostAtOnce = 24
const mostOfOne = 6
const atWork: string[] = []

/** Who sends less than this in that time only holds a place. */
const leastBytes = 20_000
const watchSeconds = 30

/**
 * Reads a multipart question. Files are judged and kept one by one as they come, so that no more than one is in memory; where one is
 * refused, or the rest never comes, those before it are let go again. The digest tells two questions apart.
 */
export async function readForm(request: FastifyRequest, limits: FileLimits, taking: Taking): Promise<Form> {
  const { caller, keeping } = taking
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > (limits.most * limits.megabytes + 1) * megabyte) throw new Refusal('request.too_large')
  const own = atWork.filter(userId => userId === caller.userId).length
  if (atWork.length >= mostAtOnce || own >= mostOfOne) throw new Refusal('service.unavailable', { retryAfter: 2 })
  const form = { fields: {} as Record<string, unknown>, files: [] as KeptFile[], hash: createHash('sha256') }
  const problems: Problem[] = []
  const watch = watchLine(request, (limits.most * limits.megabytes + 1) * megabyte)
  atWork.push(caller.userId)
  try {
    for await (const part of partsOf(request, limits)) {
      if (part.type === 'field') takeField(form.fields, part)
      else {
        const place = form.files.length + problems.length
        const taken = await takeFile(part, taking, place)
        if ('rule' in taken) problems.push(taken)
        else form.files.push(taken.kept)
        form.hash.update(`${place} ${part.filename} ${'rule' in taken ? '' : taken.digest}\n`)
      }
    }
    if (problems.length > 0) throw refuseFields(problems)
  } catch (error) {
    await dropAll(form.files, caller, keeping)
    throw error
  } finally {
    clearInterval(watch)
    atWork.splice(atWork.indexOf(caller.userId), 1)
  }
  return { fields: form.fields, files: form.files, digest: form.hash.digest('hex') }
}

/** Cuts the line of whoever sends more than was agreed, however he packs it, and of whoever sends next to nothing. */
function watchLine({ raw }: FastifyRequest, most: number): NodeJS.Timeout {
  const begin = raw.socket.bytesRead
  let [seconds, before] = [0, begin]
  const look = () => {
    const now = raw.socket.bytesRead
    seconds += 1
    const isSlow = seconds % watchSeconds === 0 && now - before < leastBytes
    if (seconds % watchSeconds === 0) before = now
    if (!raw.complete && (isSlow || now - begin > most)) raw.destroy()
  }
  return setInterval(look, 1000).unref()
}

/** What cannot be read as a form, or breaks off, is the caller's fault; limits say themselves what they are. */
function unreadable(error: unknown): never {
  throw typeof (error as { statusCode?: unknown }).statusCode === 'number' ? error : new Refusal('request.malformed')
}

/** The parts as they come; what goes wrong with one of ours is not mistaken for a fault of the form. */
async function* partsOf(request: FastifyRequest, limits: FileLimits): AsyncGenerator<Multipart> {
  const parts = request.parts({ limits: limitsOf(limits) })
  for (;;) {
    const next = await parts.next().catch(unreadable)
    if (next.done) return
    yield next.value
  }
}

export const dropAll = (files: KeptFile[], caller: CallerInUnit, keeping: Keeping): Promise<unknown> =>
  Promise.all(files.map(file => keeping.drop(caller, file)))

const limitsOf = ({ most, megabytes }: FileLimits) => ({
  files: most,
  fileSize: megabytes * megabyte,
  fields: 30,
  fieldSize: 40_000,
  fieldNameSize: 100,
  parts: most + 30,
  headerPairs: 20,
  headerSize: 8_000,
})

type Field = Exclude<Multipart, MultipartFile>

function takeField(fields: Record<string, unknown>, { fieldname, value, fieldnameTruncated, valueTruncated }: Field): void {
  if (fieldnameTruncated || valueTruncated) throw new Refusal('request.too_large')
  if (Object.hasOwn(fields, fieldname)) throw new Refusal('request.malformed')
  fields[fieldname] = value
}

type Taken = { kept: KeptFile; digest: string }

async function takeFile(part: MultipartFile, { workers, caller, keeping }: Taking, place: number): Promise<Taken | Problem> {
  const bytes = await part.toBuffer().catch(unreadable)
  const path = `files[${place}]`
  // Some programs write a list's name so.
  if (part.fieldname !== 'files' && part.fieldname !== 'files[]')
    return { path: part.fieldname.slice(0, 100), rule: 'unknown', key: 'shape.unknown' }
  const name = part.filename ?? ''
  const judged = await judgeApart(workers, caller.userId, name, bytes)
  if (typeof judged === 'string')
    return { path, rule: 'file', key: faultKeys[judged], params: { kinds: fileKindNames, megapixels: mostMegapixels } }
  const { kind, content, digest } = judged
  const kept = await keeping.keep(caller, { name: cleanName(name, kind), kind, mediaType: fileKinds[kind].mediaType, content })
  return { kept, digest }
}

const faultKeys = {
  empty: 'shape.file_empty',
  kind: 'shape.file_kind',
  ending: 'shape.file_ending',
  broken: 'shape.file_broken',
  large: 'shape.file_large',
  heavy: 'shape.file_heavy',
  active: 'shape.file_active',
} as const satisfies Record<FileProblem, string>
