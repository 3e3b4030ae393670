import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'

/** A thread of its own, that yields to whoever serves requests: on Linux the priority is the thread's alone. */
if (process.platform === 'linux') setPriority(10)

const fontFiles = ['SourceSans3_400Regular.ttf', 'SourceSans3_600SemiBold.ttf']
const fontBlobs = fontFiles.map(name => readFileSync(join(import.meta.dirname, '../fonts', name)))
// An empty workspace: whatever a paper says, no file of this machine can be asked for.
const compiler = NodeCompiler.create({ workspace: join(import.meta.dirname, '../fonts'), fontArgs: [{ fontBlobs }] })
const template = readFileSync(join(import.meta.dirname, 'paper.typ'), 'utf8')

type Order = { id: number; data: string; seconds: number }

parentPort?.on('message', ({ id, data, seconds }: Order) => {
  try {
    const pdf = print(data, seconds)
    // Copied into memory of its own, which can change threads without another copy.
    const content = new Uint8Array(pdf)
    parentPort?.postMessage({ id, content }, [content.buffer])
  } catch (error) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage({ id, fault: error instanceof Error ? error.message : String(error) })
  }
})

/** PDF/UA: tagged, so that a reader program can read it out. Letters that the fonts lack forbid the standard's name, not the paper. */
function print(data: string, creationTimestamp: number): Buffer {
  const source = { mainFileContent: template, inputs: { paper: data } }
  try {
    return compiler.pdf(source, { pdfStandard: 'ua-1', creationTimestamp })
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('could not be displayed')) throw error
    return compiler.pdf(source, { pdfTags: true, creationTimestamp })
  } finally {
    compiler.evictCache(keptFor)
  }
}

/** Papers after which what was worked out for one is forgotten: what all have in common stays. */
const keptFor = 10
