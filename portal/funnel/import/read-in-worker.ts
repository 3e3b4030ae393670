import { type SheetProblem, mostBytes } from '#common/kit/sheet/file.ts'

const timeoutMs = 10_000

/** Reads a list in a worker, for at most 10 seconds. The list never leaves this browser. */
export async function read(source: Blob | string): Promise<string[][] | SheetProblem> {
  const size = typeof source === 'string' ? source.length : source.size
  if (size > mostBytes) return 'too_big'
  const content = typeof source === 'string' ? source : new Uint8Array(await source.arrayBuffer())
  const worker = new Worker(new URL('./read.worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve } = Promise.withResolvers<string[][] | SheetProblem>()
  const timeout = setTimeout(() => resolve('slow'), timeoutMs)
  worker.addEventListener('message', ({ data }: MessageEvent<string[][] | SheetProblem>) => resolve(data))
  worker.addEventListener('error', () => resolve('broken'))
  worker.postMessage(content, typeof content === 'string' ? [] : [content.buffer])
  try {
    return await promise
  } finally {
    clearTimeout(timeout)
    worker.terminate()
  }
}
