import type { AnyRouter } from '@tanstack/react-router'

let router: AnyRouter | undefined

/** Sets the router for navigation within the portal. */
export const setRouter = (current: AnyRouter): void => {
  router = current
}

const allowedProtocols = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/**
 * Navigates to a URL (spec 2). Throws for an external URL without the `external` flag, and for a protocol that could run or read something here.
 * External URLs cause a full page load.
 */
export async function go(target: string, { external = false, replace = false } = {}): Promise<void> {
  const url = URL.parse(target, window.location.origin)
  if (!url || !allowedProtocols.has(url.protocol))
    throw new Error(`Cannot navigate to an address with a blocked protocol: ${url?.protocol ?? target}`)
  const within = url.origin === window.location.origin
  if (!within && !external) throw new Error('Cannot navigate to an external address without the external flag')
  if (within && !external) await router?.navigate({ href: url.pathname + url.search + url.hash, replace })
  else if (replace) window.location.replace(url.href)
  else window.location.assign(url.href)
}
