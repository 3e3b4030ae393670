import { may, type Permission } from '#common/kit/permissions.ts'

const needs = { agency: 'b2b-agency-view', users: 'b2b-users-view', me: undefined } as const satisfies Record<
  string,
  Permission | undefined
>

type AccountTab = keyof typeof needs

const all: AccountTab[] = ['agency', 'users', 'me']

/** Returns the tabs of the account page for these permissions. All users see their own profile. */
export const accountTabs = (granted: readonly string[]): AccountTab[] =>
  all.filter(tab => needs[tab] === undefined || may(granted, needs[tab]))
