import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { yieldToOthers } from '#server/kit/workers/priority.ts'
import type { Logo } from './document.ts'

yieldToOthers(10)

const fonts = join(import.meta.dirname, '../fonts')
const fontBlobs = ['SourceSans3_400Regular.ttf', 'SourceSans3_600SemiBold.ttf'].map(name => readFileSync(join(fonts, name)))
// Whatever a paper says, no other file of this machine can be asked for.
const compiler = NodeCompiler.create({ workspace: fonts, fontArgs: [{ fontBlobs }] })
const template = { mainFileContent: readFileSync(join(import.meta.dirname, 'document.typ'), 'utf8') }

type Order = { id: number; data: string; logo: Logo | null; seconds: number }

parentPort?.on('message', ({ id, data, logo, seconds }: Order) => {
  try {
    const pdf = render(data, pathOf(logo), seconds)
    // Copied into memory of its own, which can change threads without another copy.
    const content = new Uint8Array(pdf)
    parentPort?.postMessage({ id, content }, [content.buffer])
  } catch (error) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage({ id, fault: saidBy(error) })
  }
})

/**
 * PDF/UA: tagged, so that a reader program can read it out. Letters that the fonts lack forbid the standard's name, not the paper; and a picture
 * that cannot be drawn is left out.
 */
function render(data: string, logo: string, creationTimestamp: number): Buffer {
  // As a file: whatever the compiler keeps of earlier papers, an input beside the template would undo.
  compiler.mapShadow(join(fonts, 'paper.json'), Buffer.from(`{"paper":${data},"logo":${JSON.stringify(logo)}}`))
  try {
    return compiler.pdf(template, { pdfStandard: 'ua-1', creationTimestamp })
  } catch (error) {
    if (saidBy(error).includes('could not be displayed')) return compiler.pdf(template, { pdfTags: true, creationTimestamp })
    if (logo === '') throw error
    return render(data, '', creationTimestamp)
  } finally {
    compiler.evictCache(data.length > longDocument ? 0 : keptFor)
  }
}

/** Papers after which what was worked out for one is forgotten: what all have in common stays. */
const keptFor = 10
/** More than sixty people: one of two hundred keeps some ten megabytes. The next paper begins anew. */
const longDocument = 12_000

/** What the compiler finds wrong stands in its error's code. */
const saidBy = (error: unknown): string =>
  error instanceof Error ? [error.message, (error as { code?: string }).code].filter(Boolean).join(' ') : String(error)

/** A logo is handed in as a file that only the compiler sees, by the name of its content. */
function pathOf(logo: Logo | null): string {
  if (!logo) return ''
  const name = `${createHash('sha256').update(logo.content).digest('hex')}.${logo.kind}`
  if (!logos.has(name)) {
    if (logos.size >= mostLogos) {
      compiler.resetShadow()
      logos.clear()
    }
    compiler.mapShadow(join(fonts, name), Buffer.from(logo.content))
    logos.add(name)
  }
  return `/${name}`
}

const logos = new Set<string>()
const mostLogos = 200
