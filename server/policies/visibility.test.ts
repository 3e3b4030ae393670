import { expect, test } from 'vitest'
import type { CallerInUnit } from '#server/kit/caller.ts'
import { permissionsOf, type Role } from '#common/session/roles.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import type { PolicyRow } from './queries.ts'
import { isVisible, visibleStatuses } from './visibility.ts'

const statuses: StoredStatus[] = ['budgeted', 'pending', 'purchased', 'cancelled', 'deleted', 'blocked']
// Safe: visibility depends on these facts alone.
const callerWith = (role: Role) => ({ userId: 'own', unit: { permissions: permissionsOf([role]) } }) as unknown as CallerInUnit
// Safe: for the same reason.
const policyWith = (status: StoredStatus, seller_id: string) => ({ status, seller_id }) as PolicyRow
const visibleTo = (role: Role, seller: string) => statuses.filter(status => isVisible(callerWith(role), policyWith(status, seller)))

test('sold policies and saved quotes need one permission each', { tags: ['S2.5', 'S2.6'] }, () => {
  expect(visibleStatuses(['b2b-access', 'b2b-policies-sold-view'])).toEqual(['purchased', 'cancelled'])
  expect(visibleStatuses(['b2b-access', 'b2b-policies-draft-view'])).toEqual(['budgeted', 'pending'])
  expect(visibleStatuses(['b2b-access', 'b2b-products-sell'])).toEqual([])
})

test('deleted and blocked policies are visible to no role', { tags: ['S7.12', 'S7.14'] }, () => {
  for (const role of ['admin', 'manager', 'seller', 'viewer'] as const) {
    expect(visibleTo(role, 'colleague'), role).toEqual(['budgeted', 'pending', 'purchased', 'cancelled'])
    expect(visibleStatuses(permissionsOf([role])).filter(status => ['deleted', 'blocked'].includes(status))).toEqual([])
  }
  expect(isVisible(callerWith('admin'), undefined)).toBe(false)
})

test('a user who sees only own sales sees none of a colleague', { tags: ['S7.12', 'S7.13', 'S7.14'] }, () => {
  expect(visibleTo('freelancer', 'colleague')).toEqual([])
  expect(visibleTo('freelancer', 'own')).toEqual(['budgeted', 'pending', 'purchased', 'cancelled'])
})
