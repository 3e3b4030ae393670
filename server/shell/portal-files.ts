import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { intlTag } from '#common/kit/locales.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { hasSignInToken, isPage, redirectOf, type RouteRules } from '#common/shell/routes.ts'
import { latestBuild } from '#common/shell/schemas.ts'
import type { Config } from '#server/config.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveUnknownPaths } from '#server/kit/http/not-found.ts'
import { serveAssets } from './assets.ts'
import { localeFor, showMaintenancePage } from './maintenance.ts'
import { readPreloads } from './preloads.ts'
import { leavingCookie, sessionCookie, signInKind } from '#server/session/public.ts'

const folder = join(import.meta.dirname, '../../dist/portal')

/**
 * Serves the portal's files. Assets carry a hash in their names and are cached for a year. Pages are revalidated on each request, and an
 * unknown page returns 404.
 */
export async function servePortal(context: AppContext): Promise<void> {
  const index = join(folder, 'index.html')
  const build = readBuild(folder)
  const html = existsSync(index) ? pageFor(context.world.config, build.id, readFileSync(index, 'utf8')) : undefined
  const font = fontLink.exec(html ?? '')?.[1] ?? ''
  const preloads = readPreloads(folder, font)
  const rules = context.world.config.ROUTE_RULES ?? {}
  serveBuilds(context, build, rules)
  if (html) {
    const icon = readFileSync(join(folder, 'favicon.svg'))
    context.http.get('/favicon.svg', (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon),
    )
    await context.http.register(http => serveAssets(http, join(folder, 'assets')))
  }
  if (html) showMaintenancePage(context, wantsPage)
  serveUnknownPaths(context, request => {
    if (!html || !wantsPage(request)) return undefined
    const { url, cookies } = request
    const [path = '/', query = ''] = url.split('?', 2)
    const location = redirectOf(rules, path)
    if (location) return { location }
    const status = isPage(path, new URLSearchParams(query)) ? 200 : 404
    // A user who is signing out counts as signed out: the portal ends the session before it fetches anything.
    const isLeaving = cookies[leavingCookie(context.world.config)] === '1'
    // A user whom the URL's token may replace counts as signed out, too.
    const signedIn = !isLeaving && !hasSignInToken(path, query) && cookies[sessionCookie(context.world.config)] !== undefined
    const locale = localeFor(context.world, request)
    const marks = `<meta name="portolan-locale" content="${locale}">${signedIn ? sessionMark : ''}`
    const links = preloads(status === 200 ? path : '', locale, signedIn, query)
    return {
      status,
      html: html
        .replace(/<html lang="\w+">/, `<html lang="${intlTag(locale)}">`)
        .replace('<head>', `<head>${marks}`)
        .replace(fontLink, '')
        .replace('</head>', `${links}</head>`),
    }
  })
}

/** The page's link to the font, which the service puts where a page needs it. */
const fontLink = /<link rel="preload" href="([^"]+)" as="font"[^>]*>/

function wantsPage({ method, url, headers, is404 }: FastifyRequest): boolean {
  const isNavigation = is404 && (method === 'GET' || method === 'HEAD') && /text\/html|\*\/\*/.test(headers.accept ?? '*/*')
  return isNavigation && !/^\/(?:api|assets|builds|dev|geo|health|metrics)(?:[/?]|$)/.test(url)
}

/** Marks that a session exists, since page scripts cannot read its cookie. Without the mark they send no requests in vain. */
const sessionMark = '<meta name="portolan-session" content="maybe">'

/** Adds the build's id to the page, and a mark if users sign in at an external host. */
function pageFor(config: Config, build: string, html: string): string {
  const externalMark = signInKind(config) === 'password' ? '' : '<meta name="portolan-sign-in" content="external">'
  return html.replace('<head>', `<head><meta name="portolan-build" content="${build}">${externalMark}`)
}

/** Serves the build list, from which open pages learn of a newer portal and of redirects (spec 7). */
function serveBuilds(context: AppContext, build: Build, rules: RouteRules): void {
  context.http.get('/builds/latest.json', (_request, reply) => reply.header('cache-control', 'no-cache').send(build))
  context.http.get<{ Params: { file: string } }>('/builds/meta/:file', (request, reply) => {
    if (request.params.file !== `${build.id}.json`) throw new Refusal('request.not_found')
    return reply.header('cache-control', 'no-cache').send({ id: build.id, routeRules: rules })
  })
}

type Build = { id: string; timestamp: number }

/** Reads the description left by the portal's build, or a placeholder if there is no portal. */
function readBuild(folder: string): Build {
  const path = join(folder, 'build.json')
  return existsSync(path) ? latestBuild.parse(JSON.parse(readFileSync(path, 'utf8'))) : { id: 'none', timestamp: 0 }
}
