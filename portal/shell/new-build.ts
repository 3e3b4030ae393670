import type { RouteRules } from '#common/shell/route-rules.ts'

export const thisBuild = (): string | undefined => document.querySelector<HTMLMetaElement>('meta[name=portolan-build]')?.content

let rules: RouteRules = {}

export const routeRulesNow = (): RouteRules => rules

/** spec 7: the metadata of this build tell which routes lead elsewhere. The service has seen to the page that was opened first. */
export async function loadRouteRules(): Promise<void> {
  const meta = thisBuild() && (await fetchJson<{ routeRules: RouteRules }>(`/builds/meta/${thisBuild()}.json`))
  if (meta) rules = meta.routeRules
}

export async function fetchJson<Content>(path: string): Promise<Content | undefined> {
  const reply = await fetch(path, { cache: 'no-store' }).catch(() => undefined)
  return reply?.ok ? ((await reply.json().catch(() => undefined)) as Content | undefined) : undefined
}

const reloadedAt = 'portolan.reloaded'

/** A part of an old build that is gone leads to a reload, not to an error; not twice in a row. */
export function reloadWhenPartsAreGone(): void {
  window.addEventListener('vite:preloadError', event => {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(reloadedAt) ?? 0) < 30_000) return
    if (document.getElementById('portal')?.hasChildNodes()) return void reloadIfServed()
    // Where nothing is shown yet, nothing can be lost.
    event.preventDefault()
    reload()
  })
}

/** Where no build answers nothing is gone: there is only no way to it, and none to the page itself. */
async function reloadIfServed(): Promise<void> {
  if (await fetchJson('/builds/latest.json')) reload()
}

function reload(): void {
  sessionStorage.setItem(reloadedAt, String(Date.now()))
  window.location.reload()
}
