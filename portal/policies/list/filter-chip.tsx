import { useRef, useState } from 'react'
import { displayDate } from '#common/kit/dates.ts'
import { dayIn, latestDay } from '#common/policies/views/views.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { DayFilter } from '#portal/kit/list/day-filter.tsx'
import type { ListChange } from '#portal/kit/list/list-params.ts'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { Popover, useClosePopover } from '#portal/kit/overlay/popover.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { daysOf, type PolicyParam, type PolicyParams, presetOf, presets } from '../list-params.ts'
import type { Facet } from './use-facets.ts'

type Props = {
  facet: Facet
  params: PolicyParams
  startsOpen: boolean
  onClose: () => void
  onFilter: (filters: ListChange<PolicyParam>) => void
  onRemove: () => void
}

/** A filter of the list. A click changes it; its cross removes it. */
export function FilterChip({ facet, params, startsOpen, onClose, onFilter, onRemove }: Props) {
  const { words } = useWords()
  const { label, value } = facet
  const [wrong, setWrong] = useState<Wrong>({})
  const latestWrong = useRef(wrong)
  const wrongText = Object.values(wrong).filter(Boolean).join(' – ')
  const inside = (
    <>
      <span className="text-quiet">{label}</span>
      {value && <span className="font-semibold">{value}</span>}
      {wrongText && <span className="text-danger">{words('policies.day_wrong', { text: wrongText })}</span>}
    </>
  )
  const look = 'flex min-h-(--control) items-center gap-1.5 rounded-md pl-2.5 whitespace-nowrap'
  return (
    <li className="flex shrink-0 items-center rounded-md border border-line bg-sheet text-[0.90625rem] shadow-low">
      {'choices' in facet ? (
        <Menu
          label={label}
          align="start"
          startsOpen={startsOpen}
          onClose={onClose}
          items={[
            ...facet.choices.map(({ label, checked, filters }) => ({ label, checked, onSelect: () => onFilter(filters) })),
            ...facet.missing,
          ]}
        >
          {trigger => (
            <button type="button" {...trigger} className={look}>
              {inside}
            </button>
          )}
        </Menu>
      ) : (
        <Popover
          label={label}
          startsOpen={startsOpen}
          // With an invalid text it stays, and shows the error.
          onClose={() => Object.values(latestWrong.current).some(Boolean) || onClose()}
          content={
            <Days
              names={facet.days}
              params={params}
              wrong={wrong}
              onWrong={(name, text) => {
                latestWrong.current = { ...latestWrong.current, [name]: text }
                setWrong(latestWrong.current)
              }}
              onFilter={onFilter}
            />
          }
        >
          {trigger => (
            <button type="button" {...trigger} className={look}>
              {inside}
            </button>
          )}
        </Popover>
      )}
      <button
        type="button"
        aria-label={words('ui.combobox.remove', { name: label })}
        onClick={onRemove}
        className="inline-flex min-h-(--control) items-center rounded-md px-2 text-quiet hover:text-ink"
      >
        <Icon name="x" className="size-3.5" />
      </button>
    </li>
  )
}

/** Texts entered in the fields of days that are not valid for a filter. */
type Wrong = { [name in PolicyParam]?: string | undefined }

type DaysProps = {
  wrong: Wrong
  onWrong: (name: PolicyParam, text: string | undefined) => void
  names: Extract<Facet, { days: unknown }>['days']
  params: PolicyParams
  onFilter: (filters: ListChange<PolicyParam>) => void
}

/** The next days, or any first and last day. */
function Days({ names: [first, last], params, wrong, onWrong, onFilter }: DaysProps) {
  const { words } = useWords()
  const close = useClosePopover()
  const today = todayInUnit()
  const [from, to] = [dayIn(params[first], today), dayIn(params[last], today)]
  const preset = presetOf(params[first], params[last], today)
  const max = latestDay(today)
  const min = from !== undefined && from <= max ? from : undefined
  const limit = displayDate(max) ?? ''
  const until = words('validation.dateUntil', { to: limit })
  return (
    <div className="grid w-72 max-w-full gap-3">
      <div className="flex gap-1">
        {presets.map(days => (
          <Button
            key={days}
            look={days === preset ? 'quiet' : 'plain'}
            aria-pressed={days === preset}
            className="flex-1 px-0!"
            onClick={() => {
              const chosen = daysOf(days)
              onFilter({ [first]: chosen.from, [last]: chosen.to })
              onWrong(first, undefined)
              onWrong(last, undefined)
              close()
            }}
          >
            {words('policies.days', { days })}
          </Button>
        ))}
      </div>
      <DayFilter
        name={first}
        label={words('policies.day_from')}
        day={from}
        onDay={day => onFilter({ [first]: day })}
        wrong={wrong[first]}
        onWrong={text => onWrong(first, text)}
        kind="list"
        max={max}
        today={today}
        problem={until}
      />
      <DayFilter
        name={last}
        label={words('policies.day_to')}
        day={to}
        onDay={day => onFilter({ [last]: day })}
        wrong={wrong[last]}
        onWrong={text => onWrong(last, text)}
        kind="list"
        {...(min ? { min } : {})}
        max={max}
        today={today}
        problem={min ? words('validation.dateBetween', { from: displayDate(min) ?? '', to: limit }) : until}
      />
    </div>
  )
}
