import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const out = join(root, 'dist/portal')

await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })

// Compressed once, here, and never while somebody waits.
for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
  const path = join(out, name)
  if (!/\.(js|css|html|svg|json)$/.test(name) || statSync(path).size < 500) continue
  const content = readFileSync(path)
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  )
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
}

/** By this a page that is open learns that there is a newer one. */
writeFileSync(join(out, 'build.json'), JSON.stringify({ id: randomBytes(6).toString('hex'), timestamp: Date.now() }))
