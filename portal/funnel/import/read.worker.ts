import { readTable } from './read.ts'

/** Reads a list in a worker, so that the page stays responsive and can stop on a file that takes too long. */
self.addEventListener('message', ({ data }: MessageEvent<Uint8Array | string>) => {
  void readTable(data).then(table => self.postMessage(table, { transfer: [] }))
})
