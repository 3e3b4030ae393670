import { describe, expect, test } from 'vitest'
import { belongsToProvince, listedForms } from './postal-codes.ts'

const codes = (beginning: string, count: number) => Array.from({ length: count }, (_, index) => `${beginning}${100 + index}`)

test.each([
  ['28001', 724, ['28001']],
  ['1000-001', 620, ['1000001', '1000']],
  ['sw1a 1aa', 826, ['SW1A1AA', 'SW1A']],
  ['SW1A', 826, ['SW1A']],
  ['00184', 380, ['00184', '0018', '001']],
  ['0018', 380, ['0018']],
  ['', 724, ['']],
])('%j of country %i is listed as %j', (code, country, forms) => expect(listedForms(code, country)).toEqual(forms))

describe('a postal code', () => {
  // One village of Madrid has a postal code of Guadalajara.
  const madrid = [{ zipCodes: ['28001', ...codes('28', 97)] }, { zipCodes: ['19500', '05100'] }]

  test.each([
    ['of the list', '28001', true],
    ['that the list lacks, with the beginning of many', '28099', true],
    ['of the next province that a village here has', '19500', true],
    ['of the next province', '19001', false],
    ['of a province far away', '08001', false],
    ['that is empty', '', true],
  ])('%s belongs to the province: %s, %s', (_which, code, belongs) => expect(belongsToProvince(code, 724, madrid)).toBe(belongs))

  test('a code names a British county by its first part, a Portuguese district by digits', () => {
    const london = [{ zipCodes: ['SW1A', 'EC2R'] }]
    expect(['sw1a 1aa', 'SW9 2AB', 'M1 1AE'].map(code => belongsToProvince(code, 826, london))).toEqual([true, true, false])
    const aveiro = [{ zipCodes: ['3750-099', '3750', '3800'] }]
    expect(['3750-123', '3800-001', '1000-001'].map(code => belongsToProvince(code, 620, aveiro))).toEqual([true, true, false])
  })

  test('any code is accepted in a province without codes', () => expect(belongsToProvince('1', 724, [{ zipCodes: [] }])).toBe(true))
})
