import { lazy, Suspense } from 'react'
import { type ReportsPart, EarningsPage } from '#portal/accounting/earnings-page.tsx'
import { loadMessages } from '#portal/kit/words.tsx'

const ReportsTab = lazy(async () => {
  const [{ ReportsTab }] = await Promise.all([import('#portal/reports/reports-tab.tsx'), loadMessages('reports', 'shape')])
  return { default: ReportsTab }
})

// Adds the reports to the page of earnings here, as reports import earnings.
const reports: ReportsPart = period => (
  <Suspense>
    <ReportsTab period={period} />
  </Suspense>
)

export const EarningsRoute = () => <EarningsPage reports={reports} />
