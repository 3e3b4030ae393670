import { createHash } from 'node:crypto'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { type BroughtKind, fileKindNames, fileKinds, megabyte } from '#common/kit/files.ts'
import { type Problem } from '#common/kit/problems.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import { type TaskOf, TooHeavy, type Workers } from '#server/kit/workers/workers.ts'
import type { Inspected, inspectWithDigest } from './inspect-file.ts'
import type { FileProblem } from './markers.ts'
import { cleanName } from './names.ts'
import { mostMegapixels } from './pictures.ts'

/** An accepted file, with a name that is safe to show. */
export type InspectedFile = { name: string; kind: BroughtKind; mediaType: string; content: Buffer }
export type KeptFile = { id: string; name: string; kind: BroughtKind; size: number }

/** Lets a feature store files before the request is validated, and delete them if it is refused. */
export type Keeping = {
  keep(caller: CallerInUnit, file: InspectedFile): Promise<KeptFile>
  drop(caller: CallerInUnit, file: KeptFile): Promise<unknown>
}

export type FileLimits = { most: number; megabytes: number }
type Deps = { workers: Workers; caller: CallerInUnit; keeping: Keeping }
export type Form = { fields: Record<string, unknown>; files: KeptFile[]; digest: string }

/** The limits on concurrent forms: in all, and of one user. Each form has one file of at most ten megabytes in memory. */
const mostAtOnce = 24
const mostOfOne = 6
const atWork: string[] = []

/** A client that sends fewer bytes in this time is disconnected. */
const leastBytes = 20_000
const watchSeconds = 30

/**
 * Reads a multipart request. Files are inspected and stored one by one as they arrive, so that at most one is in memory. If one is refused or the
 * request breaks off, the stored ones are deleted. The digest identifies the content, for idempotency.
 */
export async function readForm(request: FastifyRequest, limits: FileLimits, deps: Deps): Promise<Form> {
  const { caller, keeping } = deps
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > (limits.most * limits.megabytes + 1) * megabyte) throw new Refusal('request.too_large')
  const own = atWork.filter(userId => userId === caller.userId).length
  if (atWork.length >= mostAtOnce || own >= mostOfOne) throw new Refusal('service.unavailable', { retryAfter: 2 })
  const fields: Record<string, unknown> = {}
  const files: KeptFile[] = []
  const form = { fields, files, hash: createHash('sha256') }
  const problems: Problem[] = []
  const watch = watchConnection(request, (limits.most * limits.megabytes + 1) * megabyte)
  atWork.push(caller.userId)
  try {
    for await (const part of partsOf(request, limits)) {
      if (part.type === 'field') takeField(form.fields, part)
      else {
        const index = form.files.length + problems.length
        const result = await takeFile(part, deps, index)
        if ('rule' in result) problems.push(result)
        else form.files.push(result.kept)
        form.hash.update(`${index} ${part.filename} ${'rule' in result ? '' : result.digest}\n`)
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

/** Closes the connection of a client that sends more bytes than the limit, or almost none. */
function watchConnection({ raw }: FastifyRequest, most: number): NodeJS.Timeout {
  const begin = raw.socket.bytesRead
  let [seconds, before] = [0, begin]
  const check = () => {
    const now = raw.socket.bytesRead
    seconds += 1
    const isSlow = seconds % watchSeconds === 0 && now - before < leastBytes
    if (seconds % watchSeconds === 0) before = now
    if (!raw.complete && (isSlow || now - begin > most)) raw.destroy()
  }
  return setInterval(check, 1000).unref()
}

/** Turns errors of the parser into refusals: an invalid or incomplete form is malformed. Errors of limits have their own status. */
function refuseUnreadable(error: unknown): never {
  // Safe: the parser throws errors, whose fields may be unknown.
  throw typeof (error as { statusCode?: unknown }).statusCode === 'number' ? error : new Refusal('request.malformed')
}

/** Yields the parts as they arrive. Only errors of the parser become refusals, not those of the loop's body. */
async function* partsOf(request: FastifyRequest, limits: FileLimits): AsyncGenerator<Multipart> {
  const parts = request.parts({ limits: limitsOf(limits) })
  for (;;) {
    const next = await parts.next().catch(refuseUnreadable)
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

type StoredFile = { kept: KeptFile; digest: string }

async function takeFile(part: MultipartFile, { workers, caller, keeping }: Deps, index: number): Promise<StoredFile | Problem> {
  const bytes = await part.toBuffer().catch(refuseUnreadable)
  const path = `files[${index}]`
  // Some programs write the name of a list with brackets.
  if (part.fieldname !== 'files' && part.fieldname !== 'files[]')
    return { path: part.fieldname.slice(0, 100), rule: 'unknown', key: 'shape.unknown' }
  const name = part.filename ?? ''
  const result = await inspectInWorker(workers, caller.userId, name, bytes)
  if (typeof result === 'string')
    return { path, rule: 'file', key: problemKeys[result], params: { kinds: fileKindNames, megapixels: mostMegapixels } }
  const { kind, content, digest } = result
  const kept = await keeping.keep(caller, { name: cleanName(name, kind), kind, mediaType: fileKinds[kind].mediaType, content })
  return { kept, digest }
}

const problemKeys = {
  empty: 'shape.file_empty',
  kind: 'shape.file_kind',
  ending: 'shape.file_ending',
  broken: 'shape.file_broken',
  large: 'shape.file_large',
  heavy: 'shape.file_heavy',
  active: 'shape.file_active',
} as const satisfies Record<FileProblem, string>

const task: TaskOf<typeof inspectWithDigest> = { module: new URL('./inspect-file.ts', import.meta.url).href, name: 'inspectWithDigest' }

/** Inspects a file in another thread. The bytes move to that thread; those to store come back. */
export async function inspectInWorker(
  workers: Workers,
  owner: string,
  name: string,
  bytes: Buffer,
): Promise<(Inspected & { digest: string }) | FileProblem> {
  try {
    return await workers.run(owner, task, name, bytes)
  } catch (error) {
    if (error instanceof TooHeavy) return 'heavy'
    throw error
  }
}
