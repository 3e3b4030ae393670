import { readTable } from './read.ts'

/** Away from the page, so that it answers meanwhile, and can be ended however long a file takes. */
self.addEventListener('message', ({ data }: MessageEvent<Uint8Array | string>) => {
  void readTable(data).then(table => self.postMessage(table, { transfer: [] }))
})
