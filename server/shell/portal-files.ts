import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyRequest } from 'fastify'
import { redirectOf } from '#common/shell/route-rules.ts'
import { isPage } from '#common/shell/routes.ts'
import type { Config } from '#server/config.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveUnknownPaths } from '#server/kit/http/not-found.ts'
import { localeFor, showAway } from './maintenance.ts'
import { readBuild, serveBuilds } from './builds.ts'
import { readPreloads } from './preloads.ts'
import { leavingCookie, sessionCookie, signInKind } from '#server/session/public.ts'

const folder = join(import.meta.dirname, '../../dist/portal')

/** The portal's own files: what is named by its content is kept for a year; a page is asked for anew each time, and an unknown one is a 404. */
export async function servePortal(context: AppContext): Promise<void> {
  const index = join(folder, 'index.html')
  const build = readBuild(folder)
  const html = existsSync(index) ? pageFor(context.world.config, build.id, readFileSync(index, 'utf8')) : undefined
  const preloads = readPreloads(folder)
  const rules = context.world.config.ROUTE_RULES ?? {}
  serveBuilds(context, build, rules)
  if (html) {
    const icon = readFileSync(join(folder, 'favicon.svg'))
    context.http.get('/favicon.svg', (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon),
    )
    await context.http.register(files, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: reply => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
    })
  }
  if (html) showAway(context, wantsPage)
  serveUnknownPaths(context, request => {
    if (!html || !wantsPage(request)) return undefined
    const { url, cookies } = request
    const [path = '/', query = ''] = url.split('?', 2)
    const location = redirectOf(rules, path)
    if (location) return { location }
    const status = isPage(path, new URLSearchParams(query)) ? 200 : 404
    // Whoever is leaving is not signed in any more: the portal ends the session first, and nothing is asked for by it.
    const isLeaving = cookies[leavingCookie(context.world.config)] === '1'
    const signedIn = !isLeaving && cookies[sessionCookie(context.world.config)] !== undefined
    const locale = localeFor(context.world, request)
    const marks = `<meta name="portolan-locale" content="${locale}">${signedIn ? sessionMark : ''}`
    const links = status === 200 ? preloads(path, locale, signedIn) : ''
    return { status, html: html.replace('<head>', `<head>${marks}`).replace('</head>', `${links}</head>`) }
  })
}

function wantsPage({ method, url, headers, is404 }: FastifyRequest): boolean {
  const isAsked = is404 && (method === 'GET' || method === 'HEAD') && /text\/html|\*\/\*/.test(headers.accept ?? '*/*')
  return isAsked && !/^\/(?:api|assets|builds|dev|geo|health|metrics)(?:[/?]|$)/.test(url)
}

/** Page scripts cannot see the session's cookie: this tells them that there is one, so that nobody asks in vain. */
const sessionMark = '<meta name="portolan-session">'

/** The page is told which build it is, and where somebody else signs in that it is so. */
function pageFor(config: Config, build: string, html: string): string {
  const elsewhere = signInKind(config) === 'password' ? '' : '<meta name="portolan-sign-in" content="external">'
  return html.replace('<head>', `<head><meta name="portolan-build" content="${build}">${elsewhere}`)
}
