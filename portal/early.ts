/**
 * Runs before the other scripts of a page behind the sign-in, while loading waits for the network (decision 20). Requests the page's own larger files
 * when all but one of the first scripts have arrived, and the font when all have. Requested together they would share the connection, and the largest
 * of the first scripts, for which everything waits, would arrive last.
 */
const first = missing('script[src], link[rel=modulepreload]:not([data-beside])')
const later = ['portolan-files', 'portolan-font']

new PerformanceObserver((list, observer) => {
  for (const { name } of list.getEntries()) first.delete(name)
  if (later.length === 2 && first.size <= 1) request(later.shift())
  if (later.length === 1 && first.size === 0) request(later.shift())
  if (later.length === 0) observer.disconnect()
}).observe({ type: 'resource', buffered: true })

function missing(selector: string): Set<string> {
  const elements = [...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>(selector)]
  return new Set(elements.map(element => (element instanceof HTMLScriptElement ? element.src : element.href)))
}

/** Requests the files named in a meta element of the page. */
function request(name: string | undefined): void {
  const content = document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content
  for (const path of content ? content.split(' ') : []) document.head.append(linkTo(path))
}

function linkTo(path: string): HTMLLinkElement {
  const link = document.createElement('link')
  const isScript = path.endsWith('.js')
  link.rel = isScript ? 'modulepreload' : 'preload'
  if (!isScript) {
    link.as = 'font'
    // Scripts that wait for a connection come first.
    link.fetchPriority = 'low'
  }
  link.crossOrigin = ''
  link.href = path
  return link
}

// Creates the first date format, which takes a slow device 100 ms. Prices need one, as they depend on the day in the agency's time zone.
new Intl.DateTimeFormat('en', { timeZone: 'UTC', year: 'numeric', month: 'numeric', day: 'numeric' }).format(0)
