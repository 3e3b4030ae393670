import { getRouteApi, lazyRouteComponent, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { may, type Permission } from '#common/kit/permissions.ts'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { Page } from '#portal/kit/page/page.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { currentUnitOf, useSession } from '#portal/session/session.ts'

const AgencyProfile = lazyRouteComponent(() => import('./profile/agency-profile.tsx'), 'AgencyProfile')
const Users = lazy(() => import('./users/users.tsx').then(({ Users }) => ({ default: Users })))
const MyProfile = lazy(() => import('#portal/session/account/my-profile.tsx').then(({ MyProfile }) => ({ default: MyProfile })))

const route = getRouteApi('/inside/account')

/** Loads the first tab with the page: after a skeleton, React would delay it by 300 ms. */
export const loadFirstTab = async (): Promise<void> => AgencyProfile.preload?.()

/** The agency's profile, its users and the user's own profile, if permissions allow. */
export function AccountPage() {
  const { words } = useWords()
  const navigate = useNavigate()
  const { tab } = route.useSearch()
  const granted = useSession(state => currentUnitOf(state)?.permissions) ?? []
  const labels = { agency: 'agency.tab.agency', users: 'agency.tab.users', me: 'shell.my_profile' } as const
  const tabs = accountTabs(granted).map(id => ({ id, label: words(labels[id]) }))
  const active = tabs.find(({ id }) => id === tab)?.id ?? tabs[0]?.id ?? 'me'
  return (
    <Page title={words('shell.menu.account')}>
      <Tabs
        label={words('shell.menu.account')}
        tabs={tabs}
        value={active}
        onChange={id => void navigate({ to: '/account', search: { tab: id }, replace: true })}
      >
        <Suspense
          fallback={
            <Loading className="grid gap-(--card)">
              <Skeleton className="h-64 w-full" />
            </Loading>
          }
        >
          {active === 'agency' && <AgencyProfile />}
          {active === 'users' && <Users />}
          {active === 'me' && <MyProfile />}
        </Suspense>
      </Tabs>
    </Page>
  )
}

const needs = { agency: 'b2b-agency-view', users: 'b2b-users-view', me: undefined } as const satisfies Record<
  string,
  Permission | undefined
>

type AccountTab = keyof typeof needs

const all: AccountTab[] = ['agency', 'users', 'me']

/** Returns the tabs of the account page for these permissions. All users see their own profile. */
export const accountTabs = (granted: readonly string[]): AccountTab[] =>
  all.filter(tab => needs[tab] === undefined || may(granted, needs[tab]))
