/** The default target after sign-in (spec 2). */
export const home = '/products'

/**
 * Returns a safe target after sign-in. Paths of the portal are safe, and so are http(s) addresses of its own or an allowed origin; anything else
 * leads home. The browser's own URL parser decides, not a pattern of ours.
 */
export function safeRedirect(wanted: unknown, ownOrigin: string, allowedOrigins: readonly string[] = []): string {
  if (typeof wanted !== 'string' || wanted.length > 2000 || /[\u0000-\u0020\u007f\\]/.test(wanted)) return home
  if (wanted.startsWith('/') && !wanted.startsWith('//')) {
    const url = URL.parse(wanted, ownOrigin)
    if (!url || url.origin !== ownOrigin || url.pathname.startsWith('//') || url.pathname.startsWith('/auth/')) return home
    return url.pathname + url.search + url.hash
  }
  if (!/^https?:\/\/[^/]/i.test(wanted)) return home
  const url = URL.parse(wanted)
  if (!url || url.username || url.password) return home
  return url.origin === ownOrigin || allowedOrigins.includes(url.origin) ? url.href : home
}
