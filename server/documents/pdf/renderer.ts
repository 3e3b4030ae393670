import { Worker } from 'node:worker_threads'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { Scope } from '#server/kit/scope.ts'
import { PermanentFailure } from '#server/kit/work/outbox.ts'
import { type PdfDocument, type Source, sourceOf } from './document.ts'

/** Renders documents one after another in a worker thread, so that no request waits for another's. */
export type Renderer = {
  render(document: PdfDocument): Promise<Buffer>
  /** Renders a kept source to the same bytes. */
  renderAgain(source: Source): Promise<Buffer>
  /** Starts the worker, so that the first document takes no longer than the next. */
  warm(): void
  /** Returns the number of documents queued or in work. */
  waiting(): number
  stop(): Promise<void>
}

/** Renders a document in an agency's name that another feature writes, from the agency's settings with its logo. */
export type RenderPaper = (scope: Scope, documentOf: (unit: UnitSettings) => PdfDocument) => Promise<Buffer>

/** Retrying would fail again. */
class UnprintableDocument extends PermanentFailure {}

type Job = Source & {
  id: number
  done: (content: Buffer) => void
  failed: (error: Error) => void
}
type Rendered = { id: number; content: Uint8Array } | { id: number; fault: string }

/** A document takes less than a hundredth of this. One whose picture takes longer is rendered without the picture. */
const timeoutsMs = { withPicture: 10_000, without: 30_000 }

/** With `idle`, takes its thread from there and leaves it there when it stops: starting one costs as much as twenty documents. */
export function openRenderer(timeouts = timeoutsMs, idle?: Worker[]): Renderer {
  const queue: Job[] = []
  let current: Job | undefined
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let lastId = 0

  function next(): void {
    if (current) return
    current = queue.shift()
    if (!current) return
    worker ??= startWorker()
    worker.ref()
    timer = setTimeout(() => failCurrent(new Error('a paper took too long')), current.logo ? timeouts.withPicture : timeouts.without)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ id: current.id, data: current.data, logo: current.logo, seconds: current.seconds })
  }

  function startWorker(): Worker {
    const started = idle?.pop() ?? new Worker(new URL('renderer-worker.ts', import.meta.url))
    started.on('message', (result: Rendered) => {
      if (result.id !== current?.id) return
      const job = finish()
      if ('content' in result) job?.done(Buffer.from(result.content.buffer))
      else job?.failed(new UnprintableDocument(result.fault))
      next()
    })
    // The worker crashed; the next document starts another.
    started.on('error', error => started === worker && failCurrent(error))
    return started
  }

  function failCurrent(error: unknown): void {
    void worker?.terminate()
    worker = undefined
    const job = finish()
    // Whatever a picture does to the worker, the document is rendered: its text is needed most.
    if (job?.logo) queue.unshift({ ...job, logo: null })
    else job?.failed(error instanceof Error ? error : new Error(String(error)))
    next()
  }

  function finish(): Job | undefined {
    clearTimeout(timer)
    const job = current
    current = undefined
    // An idle worker does not keep the process alive.
    worker?.unref()
    return job
  }

  const renderer: Renderer = {
    render: document => renderer.renderAgain(sourceOf(document)),
    renderAgain: source =>
      new Promise((done, failed) => {
        queue.push({ ...source, id: (lastId += 1), done, failed })
        next()
      }),
    warm() {
      worker ??= startWorker()
      worker.unref()
    },
    waiting: () => queue.length + (current ? 1 : 0),
    async stop() {
      for (const job of queue.splice(0)) job.failed(new Error('the renderer is stopped'))
      const [stopped, interrupted] = [worker, finish()]
      worker = undefined
      // Only its own listeners: the thread itself has others.
      if (idle && stopped && !interrupted) idle.push(stopped.removeAllListeners('message').removeAllListeners('error'))
      else await stopped?.terminate()
      interrupted?.failed(new Error('the renderer is stopped'))
    },
  }
  return renderer
}
