import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { serveAssets } from './assets.ts'

const script = 'export const answer = 42'

async function served() {
  const folder = mkdtempSync(join(tmpdir(), 'assets-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'words'))
  writeFileSync(join(folder, 'words/es.js'), script)
  writeFileSync(join(folder, 'words/es.js.br'), brotliCompressSync(script))
  writeFileSync(join(folder, 'words/es.js.gz'), gzipSync(script))
  writeFileSync(join(folder, 'font.woff2'), 'font')
  const http = fastify()
  await http.register(inner => serveAssets(inner, folder))
  onTestFinished(() => http.close())
  return { folder, ask: (url: string, accepted = '') => http.inject({ url, headers: { 'accept-encoding': accepted } }) }
}

test('an asset comes in the form that its caller reads, for a year', async () => {
  const { ask } = await served()
  const plain = await ask('/assets/words/es.js')
  expect(plain.body).toBe(script)
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  expect((await ask('/assets/words/es.js', 'gzip, deflate, br')).headers['content-encoding']).toBe('br')
  const packed = await ask('/assets/words/es.js', 'gzip, br;q=0')
  expect([packed.headers['content-encoding'], gunzipSync(packed.rawPayload).toString()]).toEqual(['gzip', script])
  expect((await ask('/assets/font.woff2', 'br')).headers).not.toHaveProperty('content-encoding')
})

test('a compressed form, a folder and an unknown name are no assets', async () => {
  const { ask } = await served()
  for (const path of ['words/es.js.br', 'words', 'words/fr.js', '../shell/assets.ts', '%2e%2e/assets.ts', ''])
    expect((await ask(`/assets/${path}`)).statusCode, path).toBe(404)
})

test('a build into the folder does not affect a running service', async () => {
  const { folder, ask } = await served()
  rmSync(folder, { recursive: true })
  expect((await ask('/assets/words/es.js')).body).toBe(script)
})
