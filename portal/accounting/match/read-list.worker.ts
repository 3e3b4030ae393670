import { readList } from './read-list.ts'

/** Reads a list in a worker, so that the page stays responsive. A file that takes too long is stopped. */
self.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => {
  void readList(data).then(list => self.postMessage(list, { transfer: [] }))
})
