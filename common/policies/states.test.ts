import { describe, expect, it } from 'vitest'
import { policyCan, policyStatuses } from './states.ts'

describe('policyCan', () => {
  it('lets nobody delete, replace or buy what was sold', () => {
    for (const action of ['delete', 'replace', 'purchase'] as const)
      expect(policyStatuses.filter(status => policyCan(action, { status }))).toEqual(['budgeted', 'pending'])
  })

  it('knows no other statuses', () => {
    for (const status of ['deleted', 'toString', '']) expect(policyCan('copy', { status })).toBe(false)
  })
})
