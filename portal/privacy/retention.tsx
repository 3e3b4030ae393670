import { useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { addMonths } from '#common/kit/dates.ts'
import { retentionCertificate, retentionDue } from '#common/privacy/calls.ts'
import { useRecord } from '#portal/administration/use-records.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { MissingPart } from '#portal/kit/errors/load-error.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Table } from '#portal/kit/list/table.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Counted = ResponseOf<typeof retentionDue>['counts'][number]

const monthsShown = 24
const lastMonths = () => Array.from({ length: monthsShown }, (_, ago) => addMonths(todayInUnit(), -ago).slice(0, 7))

/** The certificate of a month, and the actions of the next night. */
export function Retention() {
  const { words } = useWords()
  const monthName = useMonthNames('long')
  const [month, setMonth] = useState(() => todayInUnit().slice(0, 7))
  const certified = useRecord(retentionCertificate, { month })
  const certificate = certified.data
  const due = useRecord(retentionDue, {})
  return (
    <div className="grid gap-(--gap)">
      <Card
        title={words('privacy.certificate')}
        actions={
          <Select
            name="month"
            label={words('privacy.month')}
            value={month}
            onChange={setMonth}
            options={lastMonths().map(value => ({ value, label: monthName(value) }))}
          />
        }
      >
        <Counts
          caption={words('privacy.certificate')}
          head={words('privacy.done_label')}
          query={certified}
          none={words('privacy.counts_none')}
        />
        {certificate && (
          <p className="text-sm text-quiet">
            {words('privacy.nights', { count: certificate.nights })}
            {certificate.audit > 0 && ` ${words('privacy.audit', { count: certificate.audit })}`}
          </p>
        )}
      </Card>
      <Card title={words('privacy.due')}>
        <Counts caption={words('privacy.due')} head={words('privacy.due_label')} query={due} none={words('privacy.due_none')} />
      </Card>
    </div>
  )
}

/** The names of classes in message ids. */
const classNames: Record<string, string> = { budget: 'quote', mail: 'message' }

type CountsProps = {
  caption: string
  head: string
  query: { data: { counts: readonly Counted[] } | undefined; error: Error | null; refetch: () => unknown }
  none: string
}

function Counts({ caption, head, query, none }: CountsProps) {
  const { words } = useWords()
  const { number } = useFormat()
  const className = (name: string) => words('privacy.class', { class: classNames[name] ?? name })
  const columns: Column<Counted>[] = [
    { key: 'unit', head: words('administration.unit'), cell: ({ businessUnit }) => businessUnit.brandName },
    { key: 'class', head: words('privacy.class_label'), cell: each => className(each.class) },
    { key: 'what', head, cell: ({ what }) => words('privacy.what', { what }) },
    { key: 'objects', head: words('privacy.objects'), align: 'end', cell: ({ objects }) => number(objects) },
  ]
  if (query.error && !query.data) return <MissingPart of={query} />
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={query.data?.counts}
      keyOf={each => `${each.businessUnit.uuid} ${each.class} ${each.what}`}
      expected={3}
      empty={<p className="p-4 text-center text-quiet">{none}</p>}
    />
  )
}
