import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Manifest } from 'vite'
import { pageChunks } from '../portal/page-chunks.ts'

const root = join(import.meta.dirname, '..')
const out = join(root, 'dist/portal')

await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })

const manifest: Manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
const [early] = filesOf(manifest, 'early.ts')
const [firstReply] = filesOf(manifest, 'first-reply')
writeFileSync(join(out, 'parts.json'), JSON.stringify({ early, firstReply, words: wordsFolder(), pages: pagesOf(manifest) }))
rmSync(join(out, 'manifest.json'))

/** The ways to code distances: the number of bits and of direct codes. The best one depends on the file. */
const distances = [
  [0, 0],
  [1, 0],
  [1, 8],
  [2, 0],
  [2, 8],
] as const

// Compressed here once, on every core, so that no request waits for it.
await Promise.all(readdirSync(out, { recursive: true, encoding: 'utf8' }).map(compress))

async function compress(name: string): Promise<void> {
  const path = join(out, name)
  if (!/\.(js|css|html|svg|json)$/.test(name) || statSync(path).size < 500) return
  const content = readFileSync(path)
  writeFileSync(`${path}.br`, await smallestBrotli(content))
  writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}

async function smallestBrotli(content: Buffer): Promise<Buffer> {
  const compressed = await Promise.all(
    distances.map(([postfix, direct]) =>
      promisify(brotliCompress)(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
          [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
          [constants.BROTLI_PARAM_NDIRECT]: direct,
        },
      }),
    ),
  )
  return compressed.reduce((least, each) => (each.length < least.length ? each : least))
}

/** The id by which an open page detects a newer portal. Equal builds have equal ids. */
const made = createHash('sha256')
for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' }).sort())
  if (statSync(join(out, name)).isFile()) made.update(name).update(readFileSync(join(out, name)))
const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? Math.floor(Date.now() / 1000))
writeFileSync(join(out, 'build.json'), JSON.stringify({ id: made.digest('hex').slice(0, 12), timestamp: seconds * 1000 }))

/** Returns the files of each page beyond the first one's, and the file of its messages. */
function pagesOf(manifest: Manifest): Record<string, { files: string[]; rooms: string[] }> {
  const first = filesOf(manifest, 'index.html')
  const pages = Object.entries(pageChunks).map(([path, { modules, words }]) => {
    const files = new Set(modules.flatMap(module => [...filesOf(manifest, module)]))
    return [path, { files: [...files].filter(file => !first.has(file)), rooms: words }]
  })
  return Object.fromEntries(pages)
}

/** Returns a module's file and style, and those that it imports statically. */
function filesOf(manifest: Manifest, module: string, seen = new Set<string>()): Set<string> {
  const part = manifest[module] ?? Object.values(manifest).find(({ name }) => name === module)
  if (!part) throw new Error(`${module} of portal/page-chunks.ts is no part of the portal`)
  if (seen.has(part.file)) return seen
  for (const file of [part.file, ...(part.css ?? [])]) seen.add(file)
  for (const needed of part.imports ?? []) filesOf(manifest, needed, seen)
  return seen
}

function wordsFolder(): string {
  const folder = readdirSync(join(out, 'assets')).find(name => name.startsWith('words-'))
  if (!folder) throw new Error('there are no words')
  return `assets/${folder}`
}
