/** What Vite hands on to the service while the portal is worked on: everything that is no page and no source of one. */
export const proxied = (target: string): Record<string, string> =>
  Object.fromEntries(
    ['/api', '/geo', '/health', '/dev/mail', '/metrics', '/builds', '^/.*_payload\\.json(?:\\?|$)'].map(path => [path, target]),
  )
