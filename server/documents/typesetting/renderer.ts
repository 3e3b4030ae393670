import type { UnitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Scope } from '#server/kit/scope.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { PermanentFailure } from '#server/kit/work/outbox.ts'
import { scopeOf } from '#server/session/public.ts'
import { hashOf, type Logo, logoOf, type PdfDocument, proofOf, type Source, sourceOf } from '../pdf/document.ts'
import { leaveOut } from '../recreate/queries.ts'
import { type Limit, startTypesetter, type Typeset, type Typesetter } from './typesetter.ts'

/**
 * Renders documents in other processes, so that no request waits for them and no picture can end the service. The agencies take turns. A document
 * that takes long starts over in a process where it delays only others of its kind.
 */
export type Renderer = {
  render(owner: Owner, document: PdfDocument): Promise<Printed>
  /** Renders a kept source to the same bytes. */
  renderAgain(owner: Owner, source: Source): Promise<Buffer>
  /** Returns whether documents can have the picture of this data: URL. Drawing it must take little time and memory. Agencies take turns. */
  canDraw: (owner: Owner, address: string) => Promise<boolean>
  /** Starts the process, so that the first document takes no longer than the next. */
  warm: () => void
  /** Returns the number of documents queued or in work. */
  waiting(): number
  stop(): void
}

/** The agency whose document it is. */
type Owner = Scope['businessUnitId']
/** A document, and what it was printed from: without the picture, if that could not be drawn. */
type Printed = { content: Buffer; source: Source }

/** Renders a document in an agency's name that another feature writes, from the agency's settings with its logo. */
export type RenderDocument = (scope: Scope, documentOf: (unit: UnitSettings) => PdfDocument) => Promise<Buffer>

/** Retrying would fail again. */
class UnprintableDocument extends PermanentFailure {}

type Proof = { owner: Owner; logo: Logo; done: (passes: boolean) => void; failed: (error: Error) => void }
type Job = { owner: Owner; source: Source; done: (printed: Printed) => void; failed: (error: Error) => void }

/**
 * `quick`: an ordinary document takes a thirtieth of it. Even with the start of another process, another agency waits for less than a second. `slow`: ten
 * thousand rows take a tenth of it. `megabytes` and `slowMegabytes`: the memory that the usual process, or that of a long document, may address. `worn`:
 * the megabytes in memory at which the usual process is replaced.
 */
const usual = {
  quick: { cpuMs: 700, ms: 20_000 },
  slow: { cpuMs: 30_000, ms: 120_000 },
  megabytes: 2000,
  slowMegabytes: 7000,
  worn: 300,
}
/** The limits of a picture's proof. The fonts take 100 megabytes. */
export const mostOfPicture = { cpuMs: 1000, ms: 30_000, megabytes: 256 }

/** How many processes a picture may end, each followed by a page without it. */
const endsOfPicture = 2

/** How many pictures are proved at the same time, at most one of an agency. */
const mostProofs = 2
/** How many pictures of an agency may wait for that. */
export const mostWaitingProofs = 8

type Options = Partial<typeof usual> & {
  /** Where the usual process is taken from, and left at a stop: starting one costs as much as twenty documents. */
  idle?: Typesetter[] | undefined
  start?: typeof startTypesetter
  /** Called for a picture that cannot be drawn, which is left out from now on. The document waits for it. */
  onBadPicture?: (owner: Owner, logo: Logo) => Promise<unknown>
}

export function openRenderer({ idle, start = startTypesetter, onBadPicture, ...limits }: Options = {}): Renderer {
  const { quick: quickLimit, slow: slowLimit, megabytes, slowMegabytes, worn } = { ...usual, ...limits }
  /** Whether the pictures of long documents passed the proof, by their hash. */
  const proved = new Map<string, boolean>()
  const quick = openTurns<Job>()
  const slow = openTurns<Job>()
  const atWork = new Set<Job>()
  const temporary = new Set<Typesetter>()
  const proofs = openTurns<Proof>()
  const proving = new Set<Owner>()
  let standing: Typesetter | undefined
  let isStopped = false

  const stand = () => (standing ??= idle?.pop() ?? start(megabytes))

  /** Lets one worker at a time empty a queue. */
  function workerOf(queue: Turns<Job>, carryOut: (job: Job) => Promise<void>) {
    let isBusy = false
    return async (job: Job): Promise<void> => {
      queue.add(job)
      if (isBusy) return
      isBusy = true
      for (let next = queue.take(); next; next = queue.take()) {
        atWork.add(next)
        try {
          await carryOut(next)
        } catch (error) {
          fail(next, error instanceof Error ? error : new Error(String(error)))
        }
      }
      isBusy = false
    }
  }

  const addQuick = workerOf(quick, async job => {
    const typesetter = stand()
    const made = await typesetter.typeset(job.source, quickLimit)
    const isSpent = 'ended' in made || ('content' in made && made.megabytes > worn)
    if (isSpent) {
      typesetter.end()
      standing = undefined
    }
    if (!('ended' in made) || isStopped) return settle(job, made)
    atWork.delete(job)
    void addSlow(job)
  })

  /**
   * Tries a document that has ended the usual process, or took too long, in a process of its own. Its picture is proved first. If it ends this process,
   * too, it is tried without its picture, and then fails.
   */
  const addSlow = workerOf(slow, async job => {
    await proveOnce(job)
    const made = await inOwnProcess(slowMegabytes, job.source, slowLimit)
    if (!('ended' in made) || made.late === 'clock' || !job.source.logo || isStopped) return settle(job, made)
    job.source = withoutPicture(job.source)
    settle(job, await inOwnProcess(slowMegabytes, job.source, slowLimit))
  })

  async function proveOnce(job: Job): Promise<void> {
    const { logo } = job.source
    if (!logo || isStopped) return
    const isNew = !proved.has(hashOf(logo))
    if (isNew) {
      const passes = await passesProof(logo)
      if (!passes) await onBadPicture?.(job.owner, logo)
      proved.set(hashOf(logo), passes)
    }
    job.source = printable(job.source)
  }

  /** Returns a source without a picture that was found bad. */
  const printable = (source: Source): Source => (source.logo && proved.get(hashOf(source.logo)) === false ? withoutPicture(source) : source)

  function proveNext(): void {
    const next = proving.size < mostProofs ? proofs.take(proving) : undefined
    if (!next) return
    proving.add(next.owner)
    void passesProof(next.logo)
      .finally(() => proving.delete(next.owner))
      .then(next.done, next.failed)
      .finally(proveNext)
  }

  /**
   * Draws a page with nothing but the picture. The picture is blamed for its CPU time, its memory, or if processes end on it while pages without it are
   * drawn. Otherwise the machine is short of memory or time, and nothing is known of the picture.
   */
  async function passesProof(logo: Logo): Promise<boolean> {
    const draw = (picture: Logo | null) => inOwnProcess(megabytes, proofOf(picture), mostOfPicture)
    for (let ends = 0; ends < endsOfPicture; ends++) {
      const made = await draw(logo)
      // An ended process proves nothing while the service stops.
      if (isStopped) throw new Error(stoppedText)
      if (!('ended' in made)) return 'content' in made && made.cpuMs <= mostOfPicture.cpuMs && made.megabytes <= mostOfPicture.megabytes
      if (made.late === 'processor') return false
      if (made.late === 'clock' || !('content' in (await draw(null)))) throw machineIsShort()
    }
    return false
  }

  function settle(job: Job, made: Typeset): void {
    if (!('content' in made)) return fail(job, failureOf(made))
    atWork.delete(job)
    job.done({ content: Buffer.from(made.content), source: job.source })
  }

  function failureOf(made: Exclude<Typeset, { content: unknown }>): Error {
    if (isStopped) return new Error(stoppedText)
    if ('fault' in made) return new UnprintableDocument(made.fault)
    return made.late === 'clock' ? machineIsShort() : new UnprintableDocument(made.ended)
  }

  function fail(job: Job, error: Error): void {
    atWork.delete(job)
    job.failed(error)
  }

  async function inOwnProcess(most: number, source: Source, limit: Limit): Promise<Typeset> {
    const typesetter = start(most)
    temporary.add(typesetter)
    const made = await typesetter.typeset(source, limit)
    typesetter.end()
    temporary.delete(typesetter)
    return made
  }

  const print = (owner: Owner, source: Source) =>
    new Promise<Printed>((done, failed) => void addQuick({ owner, source: printable(source), done, failed }))

  return {
    render: (owner, document) => print(owner, sourceOf(document)),
    renderAgain: async (owner, source) => (await print(owner, source)).content,
    async canDraw(owner, address) {
      const logo = logoOf(address)
      if (!logo) return false
      if (proofs.sizeOf(owner) >= mostWaitingProofs) throw machineIsShort()
      return new Promise((done, failed) => {
        proofs.add({ owner, logo, done, failed })
        proveNext()
      })
    },
    warm: () => void stand(),
    waiting: () => quick.size + slow.size + atWork.size,
    stop() {
      isStopped = true
      for (const job of [...quick.takeAll(), ...slow.takeAll(), ...proofs.takeAll()]) job.failed(new Error(stoppedText))
      if (idle && standing?.isAlive() && atWork.size === 0) idle.push(standing)
      else standing?.end()
      standing = undefined
      for (const each of temporary) each.end()
    },
  }
}

/** Jobs are retried later, and requests can be. */
const machineIsShort = () => new Refusal('service.unavailable', { retryAfter: 2 })

const stoppedText = 'the renderer is stopped'

const withoutPicture = (source: Source): Source => ({ ...source, logo: null })

/** The outbox message that documents leave out a logo that cannot be drawn. The agency feature removes it from the agency. */
export const logoLeftOut = 'documents.logo_left_out'

/** Leaves a logo out of all documents that are made again, on every node, and of those to come. */
export const leaveLogoOut = (world: World) => async (unit: string, logo: Logo) => {
  world.log.error({ unit }, 'a logo cannot be drawn, and documents are made without it')
  const sha256 = hashOf(logo)
  await world.database.inScope(scopeOf(unit), async tx => {
    await leaveOut(tx, sha256)
    await world.outbox.publish(tx, logoLeftOut, { sha256 })
  })
}

/** Jobs that wait. The owner who was served longest ago comes next, so that no owner's many jobs hold up another's one. */
type Turns<Job extends { owner: string }> = {
  readonly size: number
  sizeOf(owner: Job['owner']): number
  add(job: Job): void
  /** Takes the next job of an owner who is not busy. */
  take(busy?: ReadonlySet<Job['owner']>): Job | undefined
  takeAll(): Job[]
}

export function openTurns<Job extends { owner: string }>(): Turns<Job> {
  const waiting = new Map<Job['owner'], Job[]>()
  return {
    get size() {
      return [...waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0)
    },
    sizeOf: owner => waiting.get(owner)?.length ?? 0,
    add(job) {
      const jobs = waiting.get(job.owner)
      if (jobs) jobs.push(job)
      else waiting.set(job.owner, [job])
    },
    take(busy) {
      const next = [...waiting].find(([owner]) => !busy?.has(owner))
      if (!next) return undefined
      const [owner, jobs] = next
      const job = jobs.shift()
      waiting.delete(owner)
      if (jobs.length > 0) waiting.set(owner, jobs)
      return job
    },
    takeAll() {
      const all = [...waiting.values()].flat()
      waiting.clear()
      return all
    },
  }
}
