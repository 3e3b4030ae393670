import { lazy, Suspense, useState } from 'react'
import { ways } from '#common/accounting/book.ts'
import { daysOf, monthsOf, type Period } from '#common/accounting/period.ts'
import { runReport } from '#common/reports/calls.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { Refusals, useRefusals } from '#portal/kit/errors/failure.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { useFormat } from '#portal/kit/format.ts'
import { idIn, oneOf, useListParams } from '#portal/kit/list/list-params.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Badge, Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { ChoiceFields } from './choice-fields.tsx'
import { ReportList } from './report-list.tsx'
import { SavedReports } from './saved-reports.tsx'
import { ScheduleList } from './schedule-list.tsx'
import { type Choice, narrowedBy, reload, type Schedule } from './use-reports.ts'

const ScheduleDialog = lazy(() => import('./schedule-dialog.tsx').then(({ ScheduleDialog }) => ({ default: ScheduleDialog })))

const first: Choice = { report: 'sales', groupBy: ['month'], format: 'xlsx' }

/** Runs reports of the page's period, and lists recent ones and the schedules that email them. */
export function ReportsTab({ period }: { period: Period }) {
  const { words } = useWords()
  const { date } = useFormat()
  const { params } = useListParams<'report' | 'product' | 'agent' | 'way'>()
  const [choice, setChoice] = useState(first)
  const [editing, setEditing] = useState<Choice | Schedule>()
  const { problems, busy, run } = useRefusals()
  const once = useIdempotencyKey()
  // The report is filtered by the choice in the figures above.
  const filters = { productUuid: idIn(params.product), sellerUuid: idIn(params.agent), way: oneOf(ways, params.way) }
  const days = daysOf(monthsOf(period, todayInUnit()))
  const start = () =>
    run(async () => {
      // A new click makes a new report; the retries of one request make only one.
      const request = { ...choice, ...days, filters }
      await once({ ...request, at: Date.now() }, idempotencyKey => ask(runReport, request, { idempotencyKey }))
      await reload('list')
    })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-(--gap)">
      <Card title={words('reports.run_title')}>
        <SavedReports choice={choice} onChoose={setChoice} />
        <ChoiceFields choice={choice} onChange={setChoice} />
        <Refusals title={words('reports.refused')} problems={problems} />
        <div className="flex flex-wrap items-center gap-2">
          <Button icon="file" busy={busy} onClick={() => void start()}>
            {words('reports.run')}
          </Button>
          <Button look="quiet" icon="mail" onClick={() => setEditing({ ...choice, filters })}>
            {words('reports.schedule')}
          </Button>
          <p className="text-sm text-quiet">{words('reports.days', { from: date(days.from), to: date(days.to) })}</p>
          {narrowedBy(filters, words).map(each => (
            <Badge key={each} tone="info">
              {each}
            </Badge>
          ))}
        </div>
      </Card>
      <ReportList opened={params.report} />
      <ScheduleList onEdit={setEditing} />
      <Suspense>{editing && <ScheduleDialog of={editing} onClose={() => setEditing(undefined)} />}</Suspense>
    </div>
  )
}
