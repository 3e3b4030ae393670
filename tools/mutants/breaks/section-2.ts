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
]
