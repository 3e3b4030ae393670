import { expect, test } from 'vitest'
import { roles } from '#common/session/roles.ts'
import { importInPage } from '#portal/kit/testing.ts'

const { accountTabs } = await importInPage(() => import('./account-page.tsx'))
const { withRole } = await importInPage(() => import('./users/user-dialog.tsx'))

test('the agency’s tab needs b2b-agency-view, and the users’ tab b2b-users-view', { tags: 'S2.7' }, () => {
  expect(accountTabs([])).toEqual(['me'])
  expect(accountTabs(['b2b-agency-view'])).toEqual(['agency', 'me'])
  expect(accountTabs(['b2b-users-view'])).toEqual(['users', 'me'])
  expect(accountTabs(roles.manager)).toEqual(['agency', 'users', 'me'])
})

test('a role that is ticked unticks those that contradict it', () => {
  expect(withRole(['seller'], 'freelancer')).toEqual(['freelancer'])
  expect(withRole(['freelancer'], 'accountant')).toEqual(['accountant'])
  expect(withRole(['accountant', 'viewer'], 'seller')).toEqual(['seller'])
  expect(withRole(['seller'], 'manager')).toEqual(['seller', 'manager'])
  expect(withRole(['accountant'], 'viewer')).toEqual(['accountant', 'viewer'])
})
