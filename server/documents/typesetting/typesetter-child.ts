import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { yieldToOthers } from '#server/kit/workers/priority.ts'
import type { Logo, Source } from '../pdf/document.ts'
import { cacheAge } from './cache-age.ts'
import { type Answer, ready } from './typesetter.ts'

yieldToOthers(10)
endFirst()

const fonts = join(import.meta.dirname, '../fonts')
const fontBlobs = ['SourceSans3_400Regular.ttf', 'SourceSans3_600SemiBold.ttf'].map(name => readFileSync(join(fonts, name)))
// The workspace limits typst to the fonts' folder: no document text can read another file.
const compiler = NodeCompiler.create({ workspace: fonts, fontArgs: [{ fontBlobs }] })
const template = { mainFileContent: readFileSync(join(import.meta.dirname, 'document.typ'), 'utf8') }

// The process ends with the one that it works for.
process.on('disconnect', () => process.exit())
process.on('message', ({ data, logo, seconds }: Source) => {
  const before = process.cpuUsage()
  let answer: Answer
  try {
    const content = render(data, pathOf(logo), seconds)
    const { user, system } = process.cpuUsage(before)
    answer = { content, cpuMs: (user + system) / 1000, megabytes: mostMegabytes() }
  } catch (error) {
    answer = { fault: errorText(error) }
  }
  process.send?.(answer)
})
process.send?.(ready)

/** Where memory is short, Linux ends this process before the service. */
function endFirst(): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/oom_score_adj', '800')
  } catch {
    // A sandbox may forbid it.
  }
}

/** Returns the most memory that this process has had. Node's own figure begins with that of the process which started this one. */
function mostMegabytes(): number {
  if (process.platform !== 'linux') return process.memoryUsage.rss() / 2 ** 20
  const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'latin1')) ?? []
  return Number(kilobytes) / 1024
}

/**
 * Renders PDF/UA, tagged for screen readers. Letters that the fonts lack only cost the PDF/UA label, not the document. A picture that
 * cannot be drawn is left out.
 */
function render(data: string, logo: string, creationTimestamp: number): Buffer {
  // Passed as a file: `sys.inputs` would invalidate the compiler's cache for every document.
  compiler.mapShadow(join(fonts, 'paper.json'), Buffer.from(`{"paper":${data},"logo":${JSON.stringify(logo)}}`))
  try {
    return compiler.pdf(template, { pdfStandard: 'ua-1', creationTimestamp })
  } catch (error) {
    if (errorText(error).includes('could not be displayed')) return compiler.pdf(template, { pdfTags: true, creationTimestamp })
    if (logo === '') throw error
    return render(data, '', creationTimestamp)
  } finally {
    compiler.evictCache(data.length > longDocument ? 0 : cacheAge)
  }
}

/** The data of more than sixty people. Two hundred people would cache some ten megabytes, so the cache is dropped after such a document. */
const longDocument = 12_000

/** Returns an error's text. The compiler puts its findings into the error's code. */
const errorText = (error: unknown): string =>
  error instanceof Error ? [error.message, 'code' in error ? error.code : ''].filter(Boolean).join(' ') : String(error)

/** Maps a logo as a file that only the compiler sees, named by the hash of its content. */
function pathOf(logo: Logo | null): string {
  if (!logo) return ''
  const name = `${createHash('sha256').update(logo.content).digest('hex')}.${logo.kind}`
  if (!logos.has(name)) {
    if (logos.size >= maxLogos) {
      compiler.resetShadow()
      logos.clear()
    }
    compiler.mapShadow(join(fonts, name), Buffer.from(logo.content))
    logos.add(name)
  }
  return `/${name}`
}

const logos = new Set<string>()
const maxLogos = 200
