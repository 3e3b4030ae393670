import type { Break } from '../break.ts'

export const section6: Break[] = [
  {
    row: 'S6.5',
    file: 'common/agency/users.ts',
    find: 'const widens = narrowedToOwn(granted) && !narrowedToOwn(wanted)',
    replace: 'const widens = false',
    tests: ['common/agency/users.test.ts'],
  },
]
