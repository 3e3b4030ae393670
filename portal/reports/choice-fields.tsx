import { reportFormats, reportGroups, reportKinds } from '#common/reports/report.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { oneOf } from '#portal/kit/list/list-params.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Choice } from './use-reports.ts'

type Props = { choice: Choice; onChange: (choice: Choice) => void }

/** The fields of a report: its kind, the grouping of its sums, and its format. */
export function ChoiceFields({ choice, onChange }: Props) {
  const { words } = useWords()
  const { report, groupBy, format } = choice
  const groupNames = {
    month: words('accounting.by_month'),
    product: words('accounting.by_product'),
    seller: words('accounting.by_agent'),
    way: words('accounting.by_way'),
  }
  return (
    <div className="grid gap-(--gap) sm:grid-cols-2">
      <Select
        label={words('reports.report')}
        hint={words('reports.kind_hint', { report })}
        name="report"
        value={report}
        onChange={value => {
          const kind = oneOf(reportKinds, value) ?? report
          // Movements are not grouped.
          onChange({ ...choice, report: kind, groupBy: kind === 'deeds' ? [] : groupBy })
        }}
        options={reportKinds.map(value => ({ value, label: words('reports.kind', { report: value }) }))}
      />
      <Select
        label={words('reports.format')}
        name="format"
        value={format}
        onChange={value => onChange({ ...choice, format: oneOf(reportFormats, value) ?? format })}
        options={reportFormats.map(value => ({ value, label: words('reports.format_name', { format: value }) }))}
      />
      {report !== 'deeds' && (
        <fieldset className="grid gap-1 sm:col-span-2">
          <legend className="mb-1 text-sm text-quiet">{words('reports.group_by')}</legend>
          <div className="flex flex-wrap gap-x-6 gap-y-1">
            {reportGroups.map(group => (
              <Checkbox
                key={group}
                label={groupNames[group]}
                name={`group-${group}`}
                checked={groupBy.includes(group)}
                onChange={isOn =>
                  onChange({ ...choice, groupBy: reportGroups.filter(each => (each === group ? isOn : groupBy.includes(each))) })
                }
              />
            ))}
          </div>
        </fieldset>
      )}
    </div>
  )
}
