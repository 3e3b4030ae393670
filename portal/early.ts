/**
 * Runs before the other scripts of a page behind the sign-in, while the slow part of loading is the network (decision 20).
 *
 * Requests some of the page's own small files at once, and the others when all but one of the first scripts have arrived. Requested together they
 * would share the connection, and the largest of the first, for which everything waits, would arrive last.
 */
const missing = new Set(
  [...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[src], link[rel=modulepreload]')].map(element =>
    element instanceof HTMLScriptElement ? element.src : element.href,
  ),
)

request('portolan-beside')

new PerformanceObserver((list, observer) => {
  for (const { name } of list.getEntries()) missing.delete(name)
  if (missing.size > 1) return
  observer.disconnect()
  request('portolan-files')
}).observe({ type: 'resource', buffered: true })

/** Requests the files that a meta element of the page names. */
function request(name: string): void {
  const content = document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content
  for (const path of content ? content.split(' ') : []) document.head.append(linkTo(path))
}

function linkTo(path: string): HTMLLinkElement {
  const link = document.createElement('link')
  const isScript = path.endsWith('.js')
  link.rel = isScript ? 'modulepreload' : 'preload'
  if (!isScript) {
    link.as = 'font'
    // A font would go before the scripts, without which there is nothing to draw.
    link.fetchPriority = 'low'
  }
  link.crossOrigin = ''
  link.href = path
  return link
}

// The first date format takes a slow device 100 ms. Prices need one: they depend on the day in the agency's time zone.
new Intl.DateTimeFormat('en', { timeZone: 'UTC', year: 'numeric', month: 'numeric', day: 'numeric' }).format(0)
