import { readList } from './read-list.ts'

/** Reads a list in a worker, so that the page stays responsive and can stop on a file that takes too long. */
self.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => {
  void readList(data).then(list => self.postMessage(list, { transfer: [] }))
})
