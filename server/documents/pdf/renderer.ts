import { Worker } from 'node:worker_threads'
import { PermanentFailure } from '#server/kit/work/outbox.ts'
import { type PdfDocument, type Source, sourceOf } from './document.ts'

/** Prints papers one after another in a thread of its own, so that no request waits for one. */
export type Renderer = {
  render(document: PdfDocument): Promise<Buffer>
  /** The very same, of what was kept of it. */
  renderAgain(source: Source): Promise<Buffer>
  /** Makes ready, so that the first paper takes no longer than the next. */
  warm(): void
  /** How many are in line or at work. */
  waiting(): number
  stop(): Promise<void>
}

/** Printing it again would fail again. */
class UnprintableDocument extends PermanentFailure {}

type Order = Source & {
  id: number
  done: (content: Buffer) => void
  failed: (error: Error) => void
}
type Rendered = { id: number; content: Uint8Array } | { id: number; fault: string }

/** No paper takes a hundredth of it; one whose picture takes more is printed without. */
const patienceMs = { withPicture: 10_000, without: 30_000 }

export function openRenderer(patience = patienceMs): Renderer {
  const line: Order[] = []
  let current: Order | undefined
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let made = 0

  function next(): void {
    if (current || line.length === 0) return
    current = line.shift() as Order
    worker ??= hire()
    worker.ref()
    timer = setTimeout(() => giveUp(new Error('a paper took too long')), current.logo ? patience.withPicture : patience.without)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ id: current.id, data: current.data, logo: current.logo, seconds: current.seconds })
  }

  function hire(): Worker {
    const hired = new Worker(new URL('renderer-worker.ts', import.meta.url))
    hired.on('message', (printed: Rendered) => {
      if (printed.id !== current?.id) return
      const order = finish()
      if ('content' in printed) order?.done(Buffer.from(printed.content.buffer))
      else order?.failed(new UnprintableDocument(printed.fault))
      next()
    })
    // It died: another is hired for the next paper.
    hired.on('error', error => hired === worker && giveUp(error))
    return hired
  }

  function giveUp(error: unknown): void {
    void worker?.terminate()
    worker = undefined
    const order = finish()
    // Whatever a picture does to the press, the paper comes: its words are what somebody waits for.
    if (order?.logo) line.unshift({ ...order, logo: null })
    else order?.failed(error instanceof Error ? error : new Error(String(error)))
    next()
  }

  function finish(): Order | undefined {
    clearTimeout(timer)
    const order = current
    current = undefined
    // A press at rest keeps no process alive.
    worker?.unref()
    return order
  }

  const renderer: Renderer = {
    render: document => renderer.renderAgain(sourceOf(document)),
    renderAgain: source =>
      new Promise((done, failed) => {
        line.push({ ...source, id: (made += 1), done, failed })
        next()
      }),
    warm() {
      worker ??= hire()
      worker.unref()
    },
    waiting: () => line.length + (current ? 1 : 0),
    async stop() {
      for (const order of line.splice(0)) order.failed(new Error('the press is closed'))
      finish()?.failed(new Error('the press is closed'))
      await worker?.terminate()
      worker = undefined
    },
  }
  return renderer
}
