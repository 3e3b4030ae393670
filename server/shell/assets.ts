import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { chooseCoding } from '#server/kit/http/coding.ts'

/** A file that pages load, and its compressed forms. */
type Asset = { type: string } & Record<'body' | 'br' | 'gzip', Buffer>

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Reads all that pages load, 6 MB, at the start, so that a build into the same folder does not affect a running service. */
function readAssets(folder: string): Map<string, Asset> {
  const names = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  const read = (name: string) => readFileSync(join(folder, name))
  return new Map(
    [...names].flatMap((name): [string, Asset][] => {
      const type = types[extname(name)]
      if (!type) return []
      const body = read(name)
      const packed = (end: string) => (names.has(name + end) ? read(name + end) : body)
      return [[name.replaceAll('\\', '/'), { type, body, br: packed('.br'), gzip: packed('.gz') }]]
    }),
  )
}

/** Serves what pages load. A page loads twenty such files, so their responses have only headers that browsers use. */
export async function serveAssets(http: FastifyInstance, folder: string): Promise<void> {
  const assets = readAssets(folder)
  http.addHook('onSend', async ({ url }, reply) => {
    for (const name of Object.keys(reply.getHeaders())) if (!said.has(name) && !isOfWorker(name, url)) reply.removeHeader(name)
  })
  http.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const asset = assets.get(request.params['*'])
    if (!asset) return reply.callNotFound()
    const chosen = chooseCoding(request.headers['accept-encoding'])
    const coding = asset[chosen] === asset.body ? 'body' : chosen
    if (coding !== 'body') reply.header('content-encoding', coding)
    return reply
      .type(asset.type)
      .header('vary', 'accept-encoding')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(asset[coding])
  })
}

const said = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cross-origin-resource-policy',
  'strict-transport-security',
  'vary',
  'x-content-type-options',
])

/** A worker has the policy of its own file, not that of the page. */
const isOfWorker = (header: string, url: string): boolean => header === 'content-security-policy' && url.includes('.worker-')
