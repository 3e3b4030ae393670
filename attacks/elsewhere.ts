/** Cases that need what no running service shows by itself; the test that plays each of them. */
export const elsewhere: { id: string; title: string; test: string; named: string }[] = [
  { id: 'B31', title: 'a second factor that is guessed or left out', test: 'server/session/second-factor.test.ts', named: '' },
  {
    id: 'B32',
    title: 'OpenID Connect: state, nonce, PKCE, code, issuer',
    test: 'server/session/external/oidc.test.ts',
    named: 'state, nonce and PKCE',
  },
  { id: 'B29b', title: 'one home in many spellings; the user who is known', test: 'server/session/sign-in/throttle.test.ts', named: 'B29' },
  { id: 'F85', title: 'test keys in production, live keys in a trial', test: 'server/config.test.ts', named: 'live' },
]
