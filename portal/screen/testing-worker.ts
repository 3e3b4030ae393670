import { Worker as Thread } from 'node:worker_threads'

/** Node's own, as its event targets refuse the document's. */
const NodeEvent = Event

/** Defines what a worker's module uses of its global object. */
const prepared = (module: string): string => `
  import { parentPort } from 'node:worker_threads'
  globalThis.self = {
    addEventListener: (_, listen) => parentPort.on('message', data => listen({ data })),
    postMessage: data => parentPort.postMessage(data),
  }
  await import(${JSON.stringify(module)})`

/** A worker of the page, run as a thread of Node with the same module. */
export class PageWorker extends EventTarget {
  readonly #thread: Thread
  constructor(module: URL) {
    super()
    this.#thread = new Thread(new URL(`data:text/javascript,${encodeURIComponent(prepared(module.href))}`))
    this.#thread.on('message', data => this.dispatchEvent(Object.assign(new NodeEvent('message'), { data })))
    this.#thread.on('error', error => this.dispatchEvent(Object.assign(new NodeEvent('error'), { error })))
  }
  postMessage(data: unknown, transfer: ArrayBuffer[] = []): void {
    this.#thread.postMessage(data, transfer)
  }
  terminate(): void {
    void this.#thread.terminate()
  }
}
