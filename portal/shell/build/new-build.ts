import type { RouteRules } from '#common/shell/routes.ts'

export const thisBuild = (): string | undefined => document.querySelector<HTMLMetaElement>('meta[name=portolan-build]')?.content

let rules: RouteRules = {}

export const routeRulesNow = (): RouteRules => rules

/** Loads the redirects of this build (spec 7). The service has already applied them to the first page. */
export async function loadRouteRules(): Promise<void> {
  const meta = thisBuild() && (await fetchJson<{ routeRules: RouteRules }>(`/builds/meta/${thisBuild()}.json`))
  if (meta) rules = meta.routeRules
}

export async function fetchJson<Content>(path: string): Promise<Content | undefined> {
  const response = await fetch(path, { cache: 'no-store' }).catch(() => undefined)
  // Safe: the build writes these files (tools/build-portal.ts).
  return response?.ok ? ((await response.json().catch(() => undefined)) as Content | undefined) : undefined
}

const reloadedAt = 'portolan.reloaded'

/** Reloads the page, at most once in 30 s, if a chunk of an old build is gone. */
export function reloadWhenChunksAreGone(): void {
  window.addEventListener('vite:preloadError', event => {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(reloadedAt) ?? 0) < 30_000) return
    if (document.getElementById('portal')?.hasChildNodes()) return void reloadIfServed()
    // Nothing is shown yet, so a reload loses nothing.
    event.preventDefault()
    reload()
  })
}

/** Reloads only if the service responds, as the reload would fail otherwise. */
async function reloadIfServed(): Promise<void> {
  if (await fetchJson('/builds/latest.json')) reload()
}

function reload(): void {
  sessionStorage.setItem(reloadedAt, String(Date.now()))
  window.location.reload()
}

let knownBuild = thisBuild()

/** Returns true if the service has a newer build than this page, once for each build. */
export async function findNewBuild(): Promise<boolean> {
  const latest = await fetchJson<{ id: string }>('/builds/latest.json')
  if (!latest || !knownBuild || latest.id === knownBuild) return false
  knownBuild = latest.id
  return true
}
