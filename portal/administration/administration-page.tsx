import { lazyRouteComponent } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { overview, releaseJobs } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { ErrorBoundary } from '#portal/kit/errors/error-boundary.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { oneOf } from '#portal/kit/list/list-params.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { Page } from '#portal/kit/page/page.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { reload, useParams, useRecord } from './use-records.ts'

const tabs = {
  units: lazyRouteComponent(() => import('./units/units-tab.tsx'), 'UnitsTab'),
  users: lazy(() => import('./users/users-tab.tsx').then(({ UsersTab }) => ({ default: UsersTab }))),
  audit: lazy(() => import('./audit/audit-tab.tsx').then(({ AuditTab }) => ({ default: AuditTab }))),
  work: lazy(() => import('./work/work-tab.tsx').then(({ WorkTab }) => ({ default: WorkTab }))),
  payments: lazy(() => import('./payments-tab.tsx').then(({ PaymentsTab }) => ({ default: PaymentsTab }))),
  accounts: lazy(() => import('./accounts/accounts-tab.tsx').then(({ AccountParts }) => ({ default: AccountParts }))),
  privacy: lazy(async () => {
    const [{ PrivacyParts }] = await Promise.all([import('#portal/privacy/privacy-parts.tsx'), loadMessages('privacy')])
    return { default: PrivacyParts }
  }),
  catalogue: lazy(() => import('./catalogue-tab.tsx').then(({ CatalogueTab }) => ({ default: CatalogueTab }))),
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

/** Warns on every tab that a restored copy holds its jobs, and releases them. */
function HeldJobs({ overview: { jobsHeldSince, jobsWaiting: count } }: { overview: ResponseOf<typeof overview> }) {
  const { words } = useWords()
  const { moment } = useFormat()
  if (!jobsHeldSince) return null
  async function release() {
    const confirmed = await showAlert({
      mode: 'confirm',
      title: words('administration.release_title'),
      description: words('administration.release_hint', { count }),
      buttonTitle: words('administration.release'),
      buttonBehavior: () => ask(releaseJobs, {}),
    })
    if (!confirmed) return
    await reload()
    showToast({ severity: 'success', summary: words('administration.released') })
  }
  return (
    <div role="status">
      <Callout tone="warning" title={words('administration.held_title', { at: moment(jobsHeldSince) })}>
        <p>{words('administration.held', { count })}</p>
        <Button look="quiet" className="mt-2" onClick={() => void release()}>
          {words('administration.release')}
        </Button>
      </Callout>
    </div>
  )
}
