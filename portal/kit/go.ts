import type { AnyRouter } from '@tanstack/react-router'

let router: AnyRouter | undefined

export const goBy = (given: AnyRouter): void => {
  router = given
}

const web = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/**
 * spec 2: to an address outside only with the flag, and then by a full page load; never to one whose protocol could run or read something
 * here. Anything else is an error.
 */
export async function go(target: string, { external = false, replace = false } = {}): Promise<void> {
  const url = URL.parse(target, window.location.origin)
  if (!url || !web.has(url.protocol)) throw new Error(`Cannot navigate to an address with a blocked protocol: ${url?.protocol ?? target}`)
  const within = url.origin === window.location.origin
  if (!within && !external) throw new Error('Cannot navigate to an external address without the external flag')
  if (within && !external) await router?.navigate({ href: url.pathname + url.search + url.hash, replace })
  else if (replace) window.location.replace(url.href)
  else window.location.assign(url.href)
}
