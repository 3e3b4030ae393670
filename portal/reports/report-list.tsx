import { reportFile } from '#common/reports/calls.ts'
import { idIn } from '#common/kit/call.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useDownload } from '#portal/kit/file/use-download.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout, Card, EmptyState, State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { narrowedBy, type Report, useReports } from './use-reports.ts'

/** The reports that the user may open, newest first. The one that a link opens is above them. */
export function ReportList({ opened }: { opened: string | undefined }) {
  const { words } = useWords()
  const { data, error, refetch } = useReports(idIn(opened))
  const linked = data?.reports.find(({ reportUuid }) => reportUuid === opened)
  return (
    <Card title={words('reports.made')}>
      {error && <LoadError title={words('reports.failed_to_load')} error={error} retry={() => void refetch()} />}
      {data && opened && !linked && <Callout tone="warning" title={words('reports.gone')} />}
      {linked && (
        <Callout tone="info" title={words('reports.linked')}>
          <ReportRow report={linked} />
        </Callout>
      )}
      {data && data.reports.length === 0 && (
        <EmptyState icon="file" title={words('reports.none')}>
          {words('reports.none_hint')}
        </EmptyState>
      )}
      <ul aria-live="polite" className="grid divide-y divide-line empty:hidden">
        {data?.reports
          .filter(report => report !== linked)
          .map(report => (
            <li key={report.reportUuid} className="py-2">
              <ReportRow report={report} />
            </li>
          ))}
      </ul>
    </Card>
  )
}

function ReportRow({ report }: { report: Report }) {
  const { words } = useWords()
  const { date, moment } = useFormat()
  const { busy, download } = useDownload()
  const days = words('reports.days', { from: date(report.from), to: date(report.to) })
  const name = `${words('reports.kind', { report: report.report })} · ${days}`
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="grid min-w-0 flex-1 basis-60">
        <span>{name}</span>
        <span className="text-sm text-quiet">
          {[
            words('reports.format_name', { format: report.format }),
            words('reports.made_by', { by: report.scheduled ? 'schedule' : 'user' }),
            moment(report.createdAt),
            ...narrowedBy(report.filters, words),
          ].join(' · ')}
        </span>
      </div>
      {report.state === 'ready' ? (
        <Button
          look="quiet"
          icon="download"
          busy={busy !== undefined}
          aria-label={words('reports.download', { name })}
          onClick={() => void download(reportFile, { uuid: report.reportUuid })}
        >
          {words('reports.save')}
        </Button>
      ) : (
        <State tone={report.state === 'failed' ? 'danger' : 'info'}>{words('reports.state', { state: report.state })}</State>
      )}
    </div>
  )
}
