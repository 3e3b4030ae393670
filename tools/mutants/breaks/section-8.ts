import type { Break } from '../break.ts'

export const section8: Break[] = [
  {
    row: 'S8.8',
    file: 'server/kit/http/not-found.ts',
    find: "await context.identify(request, 'session').catch(() => undefined)",
    replace: '',
    tests: ['server/kit/http/http.test.ts'],
  },
  {
    row: 'S8.7',
    file: 'portal/shell/error-screen.tsx',
    find: "status === 403 ? 'shell.no_access' : 'shell.wrong'",
    replace: "'shell.wrong'",
    tests: ['e2e/shell.e2e.ts'],
  },
]
