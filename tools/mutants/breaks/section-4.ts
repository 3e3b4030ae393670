import type { Break } from '../break.ts'

export const section4: Break[] = [
  {
    row: 'S4.1',
    file: 'common/policies/states.ts',
    find: 'isStatus(status) && ',
    replace: '',
    tests: ['common/policies/states.test.ts'],
  },
  {
    row: 'S4.3',
    file: 'common/quotes/trip.ts',
    find: 'Number(values.travelers) >= 1]',
    replace: 'Number(values.travelers) >= 0]',
    tests: ['common/quotes/trip.test.ts'],
  },
  {
    row: 'S4.4',
    file: 'common/policies/people.ts',
    find: "['middleName', ['required', shortText]],",
    replace: "['middleName', [shortText]],",
    tests: ['common/policies/people.test.ts', 'common/policies/step2.test.ts'],
  },
  {
    row: 'S4.5',
    file: 'common/policies/people.ts',
    find: "['companyName', ['required', shortText]]",
    replace: "['companyName', [shortText]]",
    tests: ['common/policies/people.test.ts'],
  },
  {
    row: 'S4.6',
    file: 'common/policies/people.ts',
    find: 'count === travelers - 1 ? []',
    replace: 'count <= travelers - 1 ? []',
    tests: ['common/policies/people.test.ts'],
  },
  {
    row: 'S4.17',
    file: 'common/shell/routes.ts',
    find: 'path === callbackPath || /(^|[?&])token=/.test(query)',
    replace: 'path === callbackPath',
    tests: ['portal/shell/guards.test.ts'],
  },
]
