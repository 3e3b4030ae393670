import { lazyRouteComponent } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { overview } from '#common/administration/calls.ts'
import { ErrorBoundary } from '#portal/kit/errors/error-boundary.tsx'
import { oneOf } from '#portal/kit/list/list-params.ts'
import { Page } from '#portal/kit/page/page.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { useRecord } from './queries.ts'
import { useParams } from './list-params.ts'
import { HeldJobs } from './work/held-jobs.tsx'

const tabs = {
  units: lazyRouteComponent(() => import('./units/units-tab.tsx'), 'UnitsTab'),
  users: lazy(() => import('./users/users-tab.tsx').then(({ UsersTab }) => ({ default: UsersTab }))),
  audit: lazy(() => import('./audit/audit-tab.tsx').then(({ AuditTab }) => ({ default: AuditTab }))),
  work: lazy(() => import('./work/work-tab.tsx').then(({ WorkTab }) => ({ default: WorkTab }))),
  payments: lazy(() => import('./payments/payments-tab.tsx').then(({ PaymentsTab }) => ({ default: PaymentsTab }))),
  accounts: lazy(() => import('./accounts/accounts-tab.tsx').then(({ AccountParts }) => ({ default: AccountParts }))),
  privacy: lazy(async () => {
    const [{ PrivacyParts }] = await Promise.all([import('#portal/privacy/privacy-parts.tsx'), loadMessages('privacy')])
    return { default: PrivacyParts }
  }),
  catalogue: lazy(() => import('./catalogue/catalogue-tab.tsx').then(({ CatalogueTab }) => ({ default: CatalogueTab }))),
}
type Tab = keyof typeof tabs

/** Loads the first tab with the page: after a skeleton, React would delay it by 300 ms. */
export const loadFirstTab = async (): Promise<void> => tabs.units.preload?.()

const tabNames = ['units', 'users', 'audit', 'work', 'payments', 'accounts', 'privacy', 'catalogue'] as const satisfies readonly Tab[]

/** The administration of the whole service (b2b-admin). Tabs show how many items need a decision. */
export function AdministrationPage() {
  const { words } = useWords()
  const { params, switchTo } = useParams()
  const { data } = useRecord(overview, {})
  const tab = oneOf(tabNames, params.tab) ?? 'units'
  const Content = tabs[tab]
  const waiting = (count: number | undefined) => (count ? { count } : {})
  return (
    <Page title={words('shell.menu.administration')}>
      {data && <HeldJobs overview={data} />}
      <Tabs<Tab>
        label={words('shell.menu.administration')}
        value={tab}
        onChange={tab => switchTo({ tab })}
        tabs={[
          { id: 'units', label: words('administration.units') },
          { id: 'users', label: words('administration.users') },
          { id: 'audit', label: words('administration.audit') },
          { id: 'work', label: words('administration.work'), ...waiting(data && data.jobsFailed + data.mailsRefused) },
          { id: 'payments', label: words('administration.payments'), ...waiting(data?.paymentReviews) },
          { id: 'accounts', label: words('administration.accounts') },
          { id: 'privacy', label: words('administration.privacy') },
          { id: 'catalogue', label: words('administration.catalogue') },
        ]}
      >
        <ErrorBoundary key={tab}>
          <Suspense
            fallback={
              <Loading className="grid gap-3">
                <Skeleton className="h-10 w-60" />
                <Skeleton className="h-80 w-full" />
              </Loading>
            }
          >
            <Content />
          </Suspense>
        </ErrorBoundary>
      </Tabs>
    </Page>
  )
}
