import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Manifest } from 'vite'
import { pageChunks } from '../portal/page-chunks.ts'

const root = join(import.meta.dirname, '..')
const out = join(root, 'dist/portal')

await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })

const manifest: Manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
const [early] = filesOf(manifest, 'early.ts')
writeFileSync(join(out, 'parts.json'), JSON.stringify({ early, words: wordsFolder(), pages: pagesOf(manifest) }))
rmSync(join(out, 'manifest.json'))

// Compressed once, here, so that no request waits for it.
for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
  const path = join(out, name)
  if (!/\.(js|css|html|svg|json)$/.test(name) || statSync(path).size < 500) continue
  const content = readFileSync(path)
  writeFileSync(`${path}.br`, smallestBrotli(content))
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
}

/** The mode for fonts codes distances in another way, which suits some scripts and styles better. */
function smallestBrotli(content: Buffer): Buffer {
  const compressed = (mode: number) =>
    brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_MODE]: mode,
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    })
  const [generic, font] = [compressed(constants.BROTLI_MODE_GENERIC), compressed(constants.BROTLI_MODE_FONT)]
  return font.length < generic.length ? font : generic
}

/** Shows an open page that there is a newer portal. Equal builds have equal ids. */
const made = createHash('sha256')
for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' }).sort())
  if (statSync(join(out, name)).isFile()) made.update(name).update(readFileSync(join(out, name)))
const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? Math.floor(Date.now() / 1000))
writeFileSync(join(out, 'build.json'), JSON.stringify({ id: made.digest('hex').slice(0, 12), timestamp: seconds * 1000 }))

/** Returns the files of each page beyond the first one's, and the features whose messages it shows. */
function pagesOf(manifest: Manifest): Record<string, { files: string[]; rooms: string[] }> {
  const first = filesOf(manifest, 'index.html')
  const pages = Object.entries(pageChunks).map(([path, { modules, features }]) => {
    const files = new Set(modules.flatMap(module => [...filesOf(manifest, module)]))
    return [path, { files: [...files].filter(file => !first.has(file)), rooms: features }]
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
