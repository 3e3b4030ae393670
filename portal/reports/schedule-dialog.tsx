import { useId, useRef, useState } from 'react'
import { changeReportSchedule, createReportSchedule } from '#common/reports/calls.ts'
import { reportPeriods } from '#common/reports/report.ts'
import { ask } from '#portal/kit/ask.ts'
import { MissingPart } from '#portal/kit/errors/load-error.tsx'
import { Refusals, useRefusals } from '#portal/kit/errors/failure.tsx'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { oneOf } from '#portal/kit/list/list-params.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { ChoiceFields } from './choice-fields.tsx'
import { type Choice, hourText, narrowings, reload, type Schedule, useSchedules, useWeekdayName } from './use-reports.ts'

type Props = { of: Choice | Schedule; onClose: () => void }

const numbers = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Makes a schedule of a report, or changes one. */
export function ScheduleDialog({ of, onClose }: Props) {
  const { words } = useWords()
  const weekdayName = useWeekdayName()
  const id = useId()
  const schedules = useSchedules()
  const before = 'scheduleUuid' in of ? of : undefined
  const [choice, setChoice] = useState<Choice>({ report: of.report, groupBy: of.groupBy, format: of.format, filters: of.filters ?? {} })
  const [period, setPeriod] = useState(before?.period ?? 'previous')
  const [every, setEvery] = useState<'month' | 'week'>(before?.when.weekday ? 'week' : 'month')
  const [day, setDay] = useState(before?.when.monthDay ?? before?.when.weekday ?? 3)
  const [hour, setHour] = useState(before?.when.hour ?? 7)
  const [to, setTo] = useState<readonly string[]>(before?.to.filter(({ receives }) => receives).map(({ uuid }) => uuid) ?? [])
  const [wasTried, setWasTried] = useState(false)
  const recipients = useRef<HTMLFieldSetElement>(null)
  const { problems, busy, run } = useRefusals()
  const once = useIdempotencyKey()
  function save() {
    if (to.length === 0) {
      setWasTried(true)
      return recipients.current?.querySelector('input')?.focus()
    }
    const when = { hour, ...(every === 'month' ? { monthDay: day } : { weekday: day }) }
    const request = { ...choice, filters: choice.filters ?? {}, period, when, to: [...to] }
    return void run(async () => {
      await once({ ...request, before: before?.scheduleUuid }, idempotencyKey =>
        before
          ? ask(changeReportSchedule, { ...request, scheduleUuid: before.scheduleUuid }, { idempotencyKey })
          : ask(createReportSchedule, request, { idempotencyKey }),
      )
      await reload('schedules')
      onClose()
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      title={words(before ? 'reports.schedule_change' : 'reports.schedule_new')}
      description={words('reports.schedule_hint')}
      actions={
        <>
          <Button look="quiet" aria-disabled={busy} onClick={() => busy || onClose()}>
            {words('ui.cancel')}
          </Button>
          <Button type="submit" form={id} busy={busy}>
            {words('ui.save')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className="grid gap-(--gap)"
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <Refusals title={words('reports.refused')} problems={problems} />
        <ChoiceFields choice={choice} onChange={setChoice} />
        <div className="grid gap-(--gap) sm:grid-cols-2">
          <Select
            label={words('reports.period')}
            name="schedulePeriod"
            value={period}
            onChange={value => setPeriod(oneOf(reportPeriods, value) ?? period)}
            options={reportPeriods.map(value => ({ value, label: words('reports.period_name', { period: value }) }))}
          />
          <Select
            label={words('reports.every')}
            name="every"
            value={every}
            onChange={value => {
              setEvery(value === 'week' ? 'week' : 'month')
              setDay(value === 'week' ? 1 : 3)
              setPeriod(value === 'week' ? 'week' : 'previous')
            }}
            options={(['month', 'week'] as const).map(value => ({ value, label: words('reports.every_name', { every: value }) }))}
          />
          <Select
            label={words(every === 'month' ? 'reports.month_day' : 'reports.weekday')}
            name="day"
            value={String(day)}
            onChange={value => setDay(Number(value))}
            options={
              every === 'month'
                ? numbers(1, 28).map(value => ({ value: String(value), label: String(value) }))
                : numbers(1, 7).map(value => ({ value: String(value), label: weekdayName(value) }))
            }
          />
          <Select
            label={words('reports.hour')}
            name="hour"
            value={String(hour)}
            onChange={value => setHour(Number(value))}
            options={numbers(0, 23).map(value => ({ value: String(value), label: hourText(value) }))}
          />
        </div>
        <Narrowings of={of.filters ?? {}} choice={choice} onChange={setChoice} />
        <fieldset ref={recipients} aria-describedby={`${id}-to`} className="grid gap-1">
          <legend className="mb-1 text-sm text-quiet">{words('reports.to')}</legend>
          {!schedules.data && <MissingPart of={schedules} title={words('reports.people_failed')} />}
          {schedules.data?.people.map(({ uuid, name }) => (
            <Checkbox
              key={uuid}
              label={name}
              name={`to-${uuid}`}
              checked={to.includes(uuid)}
              onChange={isOn => setTo(isOn ? [...to, uuid] : to.filter(each => each !== uuid))}
            />
          ))}
          <p id={`${id}-to`} role="alert" className="flex items-center gap-1.5 text-sm font-semibold text-danger empty:hidden">
            {wasTried && to.length === 0 && (
              <>
                <Icon name="alert-circle" className="size-3.5" /> {words('reports.no_recipient')}
              </>
            )}
          </p>
        </fieldset>
      </form>
    </Dialog>
  )
}

type NarrowingsProps = { of: Schedule['filters']; choice: Choice; onChange: (choice: Choice) => void }

/** The filters of a schedule. Any of them can be removed, which includes the whole agency. */
function Narrowings({ of, choice, onChange }: NarrowingsProps) {
  const { words } = useWords()
  const offered = (['productUuid', 'sellerUuid', 'way'] as const).filter(name => of[name])
  if (offered.length === 0) return null
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm text-quiet">{words('reports.narrowed_legend')}</legend>
      {offered.map(name => (
        <Checkbox
          key={name}
          label={`${words('reports.narrowed', { by: narrowings[name] })}${name === 'way' ? ` (${words('accounting.way', { way: of.way ?? '' })})` : ''}`}
          name={`narrowed-${name}`}
          checked={Boolean(choice.filters?.[name])}
          onChange={isOn => onChange({ ...choice, filters: { ...choice.filters, [name]: isOn ? of[name] : undefined } })}
        />
      ))}
    </fieldset>
  )
}
