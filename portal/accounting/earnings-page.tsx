import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type Period, periods } from '#common/accounting/period.ts'
import { narrowedToOwn } from '#common/kit/permissions.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { oneOf, useListParams } from '#portal/kit/list/list-params.ts'
import { Page } from '#portal/kit/page/page.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { permissionsNow } from '#portal/session/session.ts'
import { EntryList } from './entry-list.tsx'
import { Figures } from './figures.tsx'
import { StatementDrawer } from './statement/statement-drawer.tsx'
import { StatementList } from './statement-list.tsx'
import { type EarningsParam, periodIn, useEarnings } from './use-accounting.ts'

const MatchDialog = lazy(() => import('./match/match-dialog.tsx').then(({ MatchDialog }) => ({ default: MatchDialog })))

const tabs = ['entries', 'statements', 'reports'] as const

/** The reports of a period, which the route adds. */
export type ReportsPart = (period: Period) => ReactNode

/**
 * The agency's earnings by product, agent and month, down to the policy; its closed months, and its reports. With `as=page` in the URL, only one of
 * these.
 */
export function EarningsPage({ reports }: { reports: ReportsPart }) {
  const { words } = useWords()
  const { params, show } = useListParams<EarningsParam>()
  if (!params.statement || params.as !== 'page' || narrowedToOwn(permissionsNow())) return <Earnings reports={reports} />
  return (
    <StatementDrawer
      alone={words('shell.menu.earnings')}
      number={params.statement}
      row={undefined}
      onStep={undefined}
      onClose={() => show({ tab: 'statements', statement: undefined, lines: undefined, as: undefined }, { resetScroll: true })}
    />
  )
}

function Earnings({ reports }: { reports: ReportsPart }) {
  const { words } = useWords()
  const { params, filter, switchTo } = useListParams<EarningsParam>()
  const earnings = useEarnings(params)
  const [comparing, setComparing] = useState(false)
  // Filters that reports share.
  const chosen = { product: params.product, agent: params.agent, way: params.way }
  // Statements are shown only to users who see the whole agency.
  const shown = narrowedToOwn(permissionsNow()) ? (['entries', 'reports'] as const) : tabs
  const tab = oneOf<(typeof tabs)[number]>(shown, params.statement ? 'statements' : params.tab) ?? 'entries'
  const names = { entries: words('accounting.entries'), statements: words('accounting.statements'), reports: words('accounting.reports') }
  return (
    <Page
      title={words('shell.menu.earnings')}
      actions={
        <>
          <Button look="quiet" icon="upload" onClick={() => setComparing(true)}>
            {words('match.button')}
          </Button>
          <Select
            label={words('accounting.period')}
            hideLabel
            name="period"
            className="w-38"
            value={periodIn(params)}
            onChange={period => filter({ period: period === 'month' ? undefined : period, month: undefined })}
            options={periods.map(value => ({ value, label: words('accounting.period_name', { period: value }) }))}
          />
        </>
      }
    >
      <Suspense>{comparing && <MatchDialog params={params} onClose={() => setComparing(false)} />}</Suspense>
      {earnings.error ? (
        <LoadError title={words('accounting.failed')} error={earnings.error} retry={() => void earnings.refetch()} />
      ) : (
        <Figures earnings={earnings.data} params={params} onFilter={filter} />
      )}
      {/* Rendered after the figures, whose height is unknown before: otherwise the list would move. */}
      {(earnings.data ?? earnings.error) && (
        <Tabs
          label={words('shell.menu.earnings')}
          value={tab}
          onChange={to => switchTo({ period: params.period, tab: to === 'entries' ? undefined : to, ...(to === 'reports' && chosen) })}
          tabs={shown.map(id => ({ id, label: names[id] }))}
        >
          {tab === 'entries' && <EntryList params={params} onFilter={filter} />}
          {tab === 'statements' && <StatementList params={params} />}
          {tab === 'reports' && reports(periodIn(params))}
        </Tabs>
      )}
    </Page>
  )
}
