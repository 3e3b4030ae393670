import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { bestLocale, intlTag, isLocale, type Locale, locales } from '#common/kit/locales.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { AppContext, World } from '#server/kit/app-context.ts'

const retryAfter = 30
/** A database that takes longer than this to respond counts as busy, not as lost. */
const timeoutMs = 300

/** Refuses every call during maintenance, with a time to retry. Health checks and the maintenance page still respond. */
export function refuseCallsInMaintenance({ http, world }: AppContext): void {
  if (!world.config.MAINTENANCE) return
  // The route decides, not the spelling of the URL.
  http.addHook('onRequest', async ({ routeOptions: { url = '' } }) => {
    if (/^\/(?:api|geo)\/|\/_payload\.json$/.test(url)) throw new Refusal('service.unavailable', { retryAfter })
  })
}

/** Replaces every page while the service is in maintenance or has no database. */
export function showMaintenancePage({ http, world }: AppContext, wantsPage: (request: FastifyRequest) => boolean): void {
  http.addHook('preHandler', async (request, reply) => {
    if (!wantsPage(request) || !(world.config.MAINTENANCE || (await lostDatabase(world)))) return
    const headers = { 'retry-after': String(retryAfter), 'content-security-policy': policy, 'cache-control': 'no-cache' }
    return reply
      .status(503)
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(page(world, localeFor(world, request)))
  })
}

const lostDatabase = ({ database }: World): Promise<boolean> =>
  Promise.race([
    database.ping().then(
      () => false,
      () => true,
    ),
    delay(timeoutMs, false),
  ])

/** Returns the language of a page: chosen in this browser, else preferred by it, else the default. */
export function localeFor({ config }: World, { cookies, headers }: FastifyRequest): Locale {
  const chosen = cookies['i18n_redirected']
  // Safe: the settings accept only known languages.
  return isLocale(chosen) ? chosen : (bestLocale(headers['accept-language']) ?? (config.DEFAULT_LOCALE as Locale))
}

/** Renders the maintenance page in all languages, the visitor's own first. The page reloads once the service responds again. */
function page({ words }: World, first: Locale): string {
  const sections = [first, ...locales.filter(locale => locale !== first)].map((locale, index) => {
    const heading = index === 0 ? 'h1' : 'h2'
    return `<section lang="${intlTag(locale)}"><${heading}>${words(locale)('lost.maintenance_title')}</${heading}><p>${words(locale)('lost.maintenance_text')}</p></section>`
  })
  return `<!doctype html><html lang="${intlTag(first)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${words(first)('lost.maintenance_title')} · Portolan</title><link rel="icon" href="/favicon.svg"><style>${style}</style></head>
<body><main><p class="brand"><img src="/favicon.svg" alt="" width="32" height="32"> Portolan</p>${sections.join('')}</main><script>${script}</script></body></html>`
}

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100dvh;display:grid;place-items:center;font:15px/20px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;background:light-dark(#faf9f7,#121110);color:light-dark(#1c1a17,#eeece8)}
main{max-width:34rem;margin:1rem;padding:2rem;background:light-dark(#fff,#1a1917);border:1px solid light-dark(#edeae6,#2a2825);border-radius:12px}
.brand{display:flex;align-items:center;gap:.625rem;margin:0 0 1.5rem;font-weight:600}
section:nth-of-type(2){margin-top:1.5rem;padding-top:1.5rem;border-top:1px solid light-dark(#edeae6,#2a2825)}
h1{font-size:1.375rem;line-height:1.75rem;font-weight:600;margin:0}h2{font-size:.9375rem;font-weight:600;margin:1rem 0 0}
p{margin:.25rem 0 0}h2+p{color:light-dark(#59544e,#aca69f);font-size:.84375rem}`

const script = `setInterval(async()=>{const reply=await fetch(location.href,{method:'HEAD',cache:'no-store'}).catch(()=>{});if(reply&&reply.status!==503)location.reload()},5000)`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
