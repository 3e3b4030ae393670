import { byHand } from '#server/kit/openapi/openapi.ts'
import { returnPath } from './oidc.ts'

const text = { type: 'string' }
const elsewhere = { 302: { description: 'The browser is sent on' } }
const inQuery = (name: string, required = false) => ({ name, in: 'query', required, schema: text })

/** What browsers are led through, and no program calls. */
export const externalPaths = {
  '/api/auth/start': {
    get: byHand('Begin to sign in, wherever that is done', 'nothing', { parameters: [inQuery('redirect')], responses: elsewhere }),
  },
  [returnPath]: {
    get: byHand('Where OpenID Connect comes back to, where that is how people sign in', 'nothing', {
      parameters: [inQuery('code', true), inQuery('state', true)],
      responses: elsewhere,
    }),
  },
}
