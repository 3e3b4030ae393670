import fc from 'fast-check'
import { expect, test } from 'vitest'
import { may } from '#common/kit/permissions.ts'
import { allRoles, assignableBy, leavesNoManager, permissionsOf, reaches } from './roles.ts'

test('users grant only roles within their own permissions', { tags: 'S6.5' }, () => {
  expect(assignableBy(permissionsOf(['manager']))).toEqual(['viewer', 'seller', 'freelancer', 'accountant', 'manager'])
  expect(assignableBy(permissionsOf(['seller']))).toEqual(['viewer', 'seller'])
  expect(assignableBy(permissionsOf(['admin']))).toEqual(allRoles)
  expect(assignableBy([])).toEqual([])
})

test('a user who sees only own sales grants no wider view', { tags: 'S6.5' }, () => {
  const narrow = permissionsOf(['manager', 'freelancer'])
  expect(reaches(narrow, ['manager'])).toBe(false)
  expect(reaches(narrow, ['manager', 'freelancer'])).toBe(true)
})

test('no granted role has a permission that the granting user lacks', () => {
  const some = fc.subarray(allRoles, { minLength: 1 })
  fc.assert(
    fc.property(some, some, (own, wanted) => {
      const granted = permissionsOf(own)
      if (!reaches(granted, wanted)) return
      for (const permission of permissionsOf(wanted))
        if (permission !== 'b2b-policies-own-only') expect(may(granted, permission)).toBe(true)
    }),
  )
})

test('the last manager cannot leave; a unit without managers is accepted', () => {
  const manager = { active: true, roles: ['manager'] }
  const seller = { active: true, roles: ['seller'] }
  expect(leavesNoManager([manager, seller], [{ ...manager, active: false }, seller])).toBe(true)
  expect(leavesNoManager([manager, manager], [manager, seller])).toBe(false)
  expect(leavesNoManager([manager, { active: true, roles: ['admin'] }], [seller, { active: true, roles: ['admin'] }])).toBe(true)
  expect(leavesNoManager([seller], [{ ...seller, active: false }])).toBe(false)
})
