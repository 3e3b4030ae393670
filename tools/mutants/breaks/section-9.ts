import { type Break, vectorBreak } from '../break.ts'

export const section9: Break[] = [
  {
    row: 'S9.2',
    file: 'common/policies/people.ts',
    find: "countProblem('extraTravellers', travelers - 1, count)",
    replace: "countProblem('extraTravellers', travelers, count)",
    tests: ['common/policies/people.test.ts'],
  },
  vectorBreak(
    'S9.3',
    'birthDateRange',
    'periods.ts',
    '({ from: earliestBirthDate, to: today })',
    '({ from: earliestBirthDate, to: addDays(today, 1) })',
  ),
  {
    row: 'S9.4',
    file: 'common/kit/validators/presence.ts',
    find: 'ageOn(birthDate, today) >= documentAge',
    replace: 'ageOn(birthDate, today) > documentAge',
    tests: ['common/kit/validators/all.test.ts'],
  },
  vectorBreak('S9.5', 'cardSecurityCode', 'cards.ts', '? 4 : 3', '? 3 : 3'),
  {
    row: 'S9.13',
    file: 'common/geography/countries.ts',
    find: 'defaultOriginRegion = 380',
    replace: 'defaultOriginRegion = 724',
    tests: ['server/products/catalogue/check.test.ts'],
  },
]
