/** Cases that need what no running service shows by itself; the test that plays each of them. */
export const elsewhere: { id: string; title: string; test: string; named: string }[] = [
  {
    id: 'B31',
    title: 'a second factor that is guessed or left out',
    test: 'server/session/second-factor/second-factor.test.ts',
    named: 'B31',
  },
  {
    id: 'B32',
    title: 'OpenID Connect: state, nonce, PKCE, code, issuer',
    test: 'server/session/external/oidc.test.ts',
    named: 'state, nonce and PKCE',
  },
  { id: 'B29b', title: 'one home in many spellings; the user who is known', test: 'server/session/sign-in/throttle.test.ts', named: 'B29' },
  { id: 'F85', title: 'test keys in production, live keys in a trial', test: 'server/config.test.ts', named: 'live' },
  {
    id: 'E67',
    title: 'archives with paths, links and names twice',
    test: 'server/kit/upload/judge.test.ts',
    named: 'a path out of the archive',
  },
  {
    id: 'E68',
    title: 'pages, programs and double files called documents',
    test: 'server/tickets/uploads.test.ts',
    named: 'to be saved, under a name without tricks',
  },
  { id: 'E70', title: 'uploads without end or measure', test: 'server/tickets/uploads.test.ts', named: 'a gigabyte is cut at once' },
]
