import { describe, expect, it } from 'vitest'
import { policyCan, policyStatuses } from './states.ts'

describe('policyCan', () => {
  it('a sold policy cannot be deleted, replaced or sold', () => {
    for (const action of ['delete', 'replace', 'purchase'] as const)
      expect(policyStatuses.filter(status => policyCan(action, { status }))).toEqual(['budgeted', 'pending'])
  })

  it('unknown statuses allow no action', () => {
    for (const status of ['deleted', 'toString', '']) expect(policyCan('copy', { status })).toBe(false)
  })
})
