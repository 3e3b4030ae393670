import { readTable } from './read.ts'

/** Reads a list in a worker, so that the page stays responsive. A file that takes too long is stopped. */
self.addEventListener('message', ({ data }: MessageEvent<Uint8Array | string>) => {
  void readTable(data).then(table => self.postMessage(table, { transfer: [] }))
})
