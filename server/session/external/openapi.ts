import { byHand } from '#server/kit/openapi/openapi.ts'
import { returnPath } from './oidc.ts'

const text = { type: 'string' }
const redirects = { 302: { description: 'The browser is sent on' } }
const inQuery = (name: string, required = false) => ({ name, in: 'query', required, schema: text })

/** The paths that browsers are redirected through. Programs do not call them. */
export const externalPaths = {
  '/api/auth/start': {
    get: byHand('Start a sign-in at this portal or an external host', 'nothing', {
      parameters: [inQuery('redirect')],
      responses: redirects,
    }),
  },
  [returnPath]: {
    get: byHand('The return from OpenID Connect, where users sign in with it', 'nothing', {
      parameters: [inQuery('code', true), inQuery('state', true)],
      responses: redirects,
    }),
  },
}
