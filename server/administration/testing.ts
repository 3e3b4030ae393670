import type { TestApp } from '#server/kit/testing.ts'
import { auditRows, type SignedIn, signIn } from '#server/session/testing.ts'

/** Asks as the demo's administrator, or as whoever is named; without a unit's token, since the administration needs none. */
export function asker(app: TestApp, by: SignedIn) {
  const headers = { authorization: `Bearer ${by.accessToken}` }
  return {
    headers,
    get: (path: string) => app.ask(`/api/administration/${path}`, { headers }),
    post: (path: string, body: unknown = {}) => app.ask(`/api/administration/${path}`, { body, headers }),
    put: (path: string, body: unknown) => app.ask(`/api/administration/${path}`, { method: 'PUT', body, headers }),
  }
}

export const admin = async (app: TestApp) => asker(app, await signIn(app, 'admin@portolan.example'))

/** What the audit holds of the administration, the oldest first. */
export const auditOf = (app: TestApp, action: string) => auditRows(app, `administration.${action}`)
