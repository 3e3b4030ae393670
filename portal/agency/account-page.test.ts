import { expect, test } from 'vitest'
import { roles } from '#common/session/roles.ts'
import { importInPage } from '#portal/kit/testing.ts'

const { accountTabs } = await importInPage(() => import('./account-page.tsx'))

test('the agency’s tab needs b2b-agency-view, and the users’ tab b2b-users-view', { tags: 'S2.7' }, () => {
  expect(accountTabs([])).toEqual(['me'])
  expect(accountTabs(['b2b-agency-view'])).toEqual(['agency', 'me'])
  expect(accountTabs(['b2b-users-view'])).toEqual(['users', 'me'])
  expect(accountTabs(roles.manager)).toEqual(['agency', 'users', 'me'])
})
