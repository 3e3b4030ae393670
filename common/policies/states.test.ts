import { describe, expect, it } from 'vitest'
import { policyCan, policyStatuses } from './states.ts'

describe('policyCan', () => {
  it('refuses to delete, replace or sell a sold policy', () => {
    for (const action of ['delete', 'replace', 'purchase'] as const)
      expect(policyStatuses.filter(status => policyCan(action, { status }))).toEqual(['budgeted', 'pending'])
  })

  it('refuses any action for unknown statuses', () => {
    for (const status of ['deleted', 'toString', '']) expect(policyCan('copy', { status })).toBe(false)
  })
})
