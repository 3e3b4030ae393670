import type { Break } from '../break.ts'

export const section2: Break[] = [
  {
    row: 'S2.1',
    file: 'common/session/redirect.ts',
    find: "export const home = '/products'",
    replace: "export const home = '/policies'",
    tests: ['e2e/sign-in.e2e.ts'],
  },
  {
    row: 'S2.3',
    file: 'common/shell/routes.ts',
    find: "/^[123]$/.test(query.get('step') ?? '1')",
    replace: "/^[1234]$/.test(query.get('step') ?? '1')",
    tests: ['common/shell/menu.test.ts'],
  },
  {
    row: 'S2.6',
    file: 'common/shell/routes.ts',
    find: "'/policies/saved': { needs: 'b2b-policies-draft-view' }",
    replace: "'/policies/saved': { needs: 'session' }",
    tests: ['common/shell/menu.test.ts'],
  },
  {
    row: 'S2.8',
    file: 'common/shell/routes.ts',
    find: "'/claim': { needs: 'b2b-access' }",
    replace: "'/claim': { needs: 'session' }",
    tests: ['common/shell/menu.test.ts'],
  },
  {
    row: 'S2.10',
    file: 'common/session/redirect.ts',
    find: 'url.origin === ownOrigin || allowedOrigins.includes(url.origin) ? url.href : home',
    replace: 'url.href',
    tests: ['common/session/redirect.test.ts'],
  },
  {
    row: 'S2.13',
    file: 'common/quotes/trip.ts',
    find: "['endDate', readDate(values.endDate) !== undefined],",
    replace: '',
    tests: ['common/quotes/trip.test.ts'],
  },
  {
    row: 'S2.15',
    file: 'common/shell/route-rules.ts',
    find: 'return target === path ? undefined : target',
    replace: 'return undefined',
    tests: ['common/shell/route-rules.test.ts'],
  },
  {
    row: 'S2.16',
    file: 'common/shell/route-rules.ts',
    find: 'return /^https?:\\/\\/[^/]/i.test(target) && URL.parse(target) !== null',
    replace: 'return URL.parse(target) !== null',
    tests: ['common/shell/route-rules.test.ts'],
  },
  {
    row: 'S2.17',
    file: 'common/shell/menu.ts',
    find: 'if (!permitted.some(permission => may(granted, permission))) return []\n',
    replace: '',
    tests: ['common/shell/menu.test.ts'],
  },
  {
    row: 'S2.19',
    file: 'common/shell/routes.ts',
    find: "'/funnel': { needs: 'b2b-access', validate: isStep }",
    replace: "'/funnel': { needs: 'session', validate: isStep }",
    tests: ['common/shell/menu.test.ts'],
  },
]
