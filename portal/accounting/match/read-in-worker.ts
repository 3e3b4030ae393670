const timeoutMs = 15_000

/** Reads a list in a worker. Undefined if it cannot be read, or takes too long. */
export async function readInWorker(source: Blob): Promise<string | undefined> {
  const bytes = new Uint8Array(await source.arrayBuffer())
  const worker = new Worker(new URL('./read-list.worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const timeout = setTimeout(() => resolve(undefined), timeoutMs)
  worker.addEventListener('message', ({ data }: MessageEvent<string | undefined>) => resolve(data))
  worker.addEventListener('error', () => resolve(undefined))
  worker.postMessage(bytes, [bytes.buffer])
  try {
    return await promise
  } finally {
    clearTimeout(timeout)
    worker.terminate()
  }
}
