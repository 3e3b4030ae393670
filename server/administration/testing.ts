import type { TestApp } from '#server/kit/testing.ts'
import { auditRows, type SignedIn, signIn } from '#server/session/testing.ts'

/** Returns calls as a signed-in user without a unit's token, which the administration does not need. */
export function asker(app: TestApp, user: SignedIn) {
  const headers = { authorization: `Bearer ${user.accessToken}` }
  return {
    headers,
    get: (path: string) => app.ask(`/api/administration/${path}`, { headers }),
    post: (path: string, body: unknown = {}) => app.ask(`/api/administration/${path}`, { body, headers }),
    put: (path: string, body: unknown) => app.ask(`/api/administration/${path}`, { method: 'PUT', body, headers }),
  }
}

export const admin = async (app: TestApp) => asker(app, await signIn(app, 'admin@portolan.example'))

/** Returns the audit entries of an administration's action, oldest first. */
export const auditOf = (app: TestApp, action: string) => auditRows(app, `administration.${action}`)
