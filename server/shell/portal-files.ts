import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import files from '@fastify/static'
import { isRoute } from '#common/shell/routes.ts'
import type { Config } from '#server/config.ts'
import type { Front } from '#server/kit/front.ts'
import { answerTheRest } from '#server/kit/http/not-found.ts'
import { signInKind } from '#server/session/external/kind.ts'

const folder = join(import.meta.dirname, '../../dist/portal')

/** The portal's own files: what is named by its content is kept for a year; a page is asked for anew each time, and an unknown one is a 404. */
export async function servePortal(front: Front): Promise<void> {
  const index = join(folder, 'index.html')
  const html = existsSync(index) ? pageFor(front.world.config, readFileSync(index, 'utf8')) : undefined
  if (html) {
    const icon = readFileSync(join(folder, 'favicon.svg'))
    front.http.get('/favicon.svg', (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon),
    )
    await front.http.register(files, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: reply => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
    })
  }
  answerTheRest(front, ({ method, url, headers }) => {
    const path = url.split('?')[0] ?? '/'
    const wantsPage = (method === 'GET' || method === 'HEAD') && /text\/html|\*\/\*/.test(headers.accept ?? '*/*')
    if (!html || !wantsPage || /^\/(?:api|geo|health|assets|dev|metrics)(?:\/|$)/.test(path)) return undefined
    return { status: isRoute(path) ? 200 : 404, html }
  })
}

/** Where somebody else signs in, the page is told, so that it goes there straight away. */
function pageFor(config: Config, html: string): string {
  return signInKind(config) === 'password' ? html : html.replace('<head>', '<head><meta name="portolan-sign-in" content="external">')
}
