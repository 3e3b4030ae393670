import fc from 'fast-check'
import { expect, test } from 'vitest'
import { may } from '#common/kit/permissions.ts'
import { permissionsOf, type Role, roles } from '#common/session/roles.ts'
import { assignableBy, leavesNoManager, reaches } from './users.ts'

const names = Object.keys(roles) as Role[]

test('a manager gives every role but the insurer’s, a seller none above his own', () => {
  expect(assignableBy(permissionsOf(['manager']))).toEqual(['viewer', 'seller', 'freelancer', 'manager'])
  expect(assignableBy(permissionsOf(['seller']))).toEqual(['viewer', 'seller', 'freelancer'])
  expect(assignableBy(permissionsOf(['admin']))).toEqual(names)
  expect(assignableBy([])).toEqual([])
})

test('whoever sees only his own gives nobody, himself included, a wider sight', () => {
  const narrow = permissionsOf(['manager', 'freelancer'])
  expect(reaches(narrow, ['manager'])).toBe(false)
  expect(reaches(narrow, ['manager', 'freelancer'])).toBe(true)
})

test('whatever roles are given, nobody ends up with a permission that the giver lacks', () => {
  const some = fc.subarray(names, { minLength: 1 })
  fc.assert(
    fc.property(some, some, (own, given) => {
      const granted = permissionsOf(own)
      if (!reaches(granted, given)) return
      for (const permission of permissionsOf(given)) if (permission !== 'b2b-policies-own-only') expect(may(granted, permission)).toBe(true)
    }),
  )
})

test('the last manager stays, and a unit that has none is none the worse', () => {
  const manager = { active: true, roles: ['manager'] }
  const seller = { active: true, roles: ['seller'] }
  expect(leavesNoManager([manager, seller], [{ ...manager, active: false }, seller])).toBe(true)
  expect(leavesNoManager([manager, manager], [manager, seller])).toBe(false)
  expect(leavesNoManager([manager, { active: true, roles: ['admin'] }], [seller, { active: true, roles: ['admin'] }])).toBe(true)
  expect(leavesNoManager([seller], [{ ...seller, active: false }])).toBe(false)
})
