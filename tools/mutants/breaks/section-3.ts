import type { Break } from '../break.ts'

export const section3: Break[] = [
  {
    row: 'S3.2',
    file: 'common/policies/types.ts',
    find: "showSecondLastName !== '0'",
    replace: "showSecondLastName !== '1'",
    tests: ['common/policies/people.test.ts'],
  },
  {
    row: 'S3.4',
    file: 'common/quotes/trip.ts',
    find: "['mainDestination', hasCountry(values.mainDestination)],",
    replace: '',
    tests: ['common/quotes/trip.test.ts'],
  },
  {
    row: 'S3.5',
    file: 'common/quotes/trip.ts',
    find: "['priceTravel', !cancellation || isAbove0(values.priceTravel)],",
    replace: "['priceTravel', isAbove0(values.priceTravel)],",
    tests: ['common/quotes/trip.test.ts'],
  },
  {
    row: 'S3.6',
    file: 'common/policies/step2.ts',
    find: "zipCode: 'businessZipCode',",
    replace: "zipCode: 'businessCity',",
    tests: ['common/policies/step2.test.ts'],
  },
  {
    row: 'S3.7',
    file: 'common/policies/people.ts',
    find: '`extraTravellers[${index}]`',
    replace: '`extraTravellers`',
    tests: ['common/policies/people.test.ts'],
  },
  { row: 'S3.8', file: 'common/policies/types.ts', find: '[10, 2],', replace: '[10, 1],', tests: ['common/policies/people.test.ts'] },
  {
    row: 'S3.9',
    file: 'common/policies/types.ts',
    find: '{ person: 3, company: 4 }',
    replace: '{ person: 3, company: 3 }',
    tests: ['common/policies/step2.test.ts'],
  },
]
