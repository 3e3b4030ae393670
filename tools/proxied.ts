/** Returns the paths that Vite forwards to the service in development: all but pages and sources. */
export const proxied = (target: string): Record<string, string> =>
  Object.fromEntries(
    ['/api', '/geo', '/health', '/dev/mail', '/metrics', '/builds', '^/.*_payload\\.json(?:\\?|$)'].map(path => [path, target]),
  )
