import { lazy, Suspense, useState } from 'react'
import { ways } from '#common/accounting/book.ts'
import { daysOf, monthsOf, type Period } from '#common/accounting/period.ts'
import { deleteReportSchedule, runReport } from '#common/reports/calls.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { Refusals, useRefusals } from '#portal/kit/errors/failure.tsx'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { useFormat } from '#portal/kit/format.ts'
import { idIn, oneOf, useListParams } from '#portal/kit/list/list-params.ts'
import { showAlert } from '#portal/kit/overlay/notices.ts'
import { toastError } from '#portal/kit/overlay/report-error.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Badge, Card, EmptyState } from '#portal/kit/ui/card.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { ChoiceFields } from './choice-fields.tsx'
import { ReportList } from './report-list.tsx'
import { SavedReports } from './saved-reports.tsx'
import { type Choice, narrowedBy, reload, type Schedule, useSchedules, useWhenWords } from './use-reports.ts'

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

/** The reports that are emailed by a schedule, with their recipients and those who no longer get them. */
function ScheduleList({ onEdit }: { onEdit: (schedule: Schedule) => void }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const whenWords = useWhenWords()
  const once = useIdempotencyKey()
  const { data, error, refetch } = useSchedules()
  async function remove(schedule: Schedule) {
    const name = words('reports.kind', { report: schedule.report })
    if (!(await showAlert({ mode: 'confirm', description: words('reports.schedule_delete_sure', { name }) }))) return
    const request = { scheduleUuid: schedule.scheduleUuid }
    await once(request, idempotencyKey => ask(deleteReportSchedule, request, { idempotencyKey })).then(
      () => reload('schedules'),
      toastError,
    )
  }
  return (
    <Card title={words('reports.schedules')}>
      {error && <LoadError title={words('reports.failed_to_load')} error={error} retry={() => void refetch()} />}
      {data?.schedules.length === 0 && (
        <EmptyState icon="mail" title={words('reports.no_schedules')}>
          {words('reports.no_schedules_hint')}
        </EmptyState>
      )}
      <ul className="grid divide-y divide-line empty:hidden">
        {data?.schedules.map(schedule => {
          const name = `${words('reports.kind', { report: schedule.report })}, ${whenWords(schedule.when)}`
          return (
            <li key={schedule.scheduleUuid} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <div className="grid min-w-0 flex-1 basis-60">
                <span>{name}</span>
                <span className="text-sm text-quiet">
                  {[
                    words('reports.period_name', { period: schedule.period }),
                    words('reports.format_name', { format: schedule.format }),
                    ...narrowedBy(schedule.filters, words),
                    words('reports.next', { at: moment(schedule.nextAt) }),
                  ].join(' · ')}
                </span>
                {schedule.failedAt && (
                  <span className="text-sm text-danger">{words('reports.schedule_failed', { at: moment(schedule.failedAt) })}</span>
                )}
                <span className="flex flex-wrap gap-x-2 text-sm">
                  {schedule.to.map(({ uuid, name, receives }) => (
                    <span key={uuid} className="inline-flex items-center gap-1">
                      {name} {!receives && <Badge tone="warning">{words('reports.gets_nothing')}</Badge>}
                    </span>
                  ))}
                </span>
              </div>
              <Button look="quiet" aria-label={words('reports.edit', { name })} onClick={() => onEdit(schedule)}>
                {words('reports.change')}
              </Button>
              <IconButton icon="trash" label={words('reports.delete', { name })} onClick={() => void remove(schedule)} />
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
