import { DayButton, type DayButtonProps, DayPicker } from 'react-day-picker'
import { displayDate } from '#common/kit/dates.ts'
import { intlTag } from '#common/kit/locales.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Props = {
  selected: string | undefined
  min: string | undefined
  max: string | undefined
  today: string | undefined
  onPick: (date: string) => void
}

/** A month to pick a day from, in the portal's language. Weeks begin on Monday in all five languages. */
export function Calendar({ selected, min, max, today, onPick }: Props) {
  const { words, locale } = useWords()
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(intlTag(locale), options)
    return (date: Date) => format.format(date)
  }
  const month = formatter({ month: 'long', year: 'numeric' })
  const shown = selected ?? (today && min && today < min ? min : today && max && today > max ? max : today)
  return (
    <DayPicker
      mode="single"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened the calendar, so the focus goes to its selected day
      autoFocus
      fixedWeeks
      weekStartsOn={1}
      captionLayout="dropdown"
      selected={dayOf(selected)}
      {...dayProp('defaultMonth', dayOf(shown))}
      {...dayProp('today', dayOf(today))}
      startMonth={dayOf(min) ?? new Date(1900, 0)}
      endMonth={dayOf(max) ?? new Date(2100, 11)}
      // The picker's own "disabled" would make these days unreachable by keyboard.
      modifiers={{ off: [...bound('before', min), ...bound('after', max)] }}
      modifiersClassNames={{ off: 'opacity-35' }}
      onDayClick={(day, modifiers) => {
        if (!modifiers['off']) onPick(dateOf(day))
      }}
      footer={(min || max) && <span className="mt-1 block text-quiet">{rangeOf(min, max)}</span>}
      formatters={{
        formatWeekdayName: formatter({ weekday: 'narrow' }),
        formatMonthDropdown: formatter({ month: 'short' }),
        formatYearDropdown: date => String(date.getFullYear()),
      }}
      labels={{
        labelDayButton: formatter({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
        labelGrid: month,
        labelWeekday: formatter({ weekday: 'long' }),
        labelMonthDropdown: () => words('ui.date.month'),
        labelYearDropdown: () => words('ui.date.year'),
        labelPrevious: () => words('ui.date.previous_month'),
        labelNext: () => words('ui.date.next_month'),
        labelNav: () => '',
      }}
      components={{ Chevron, DayButton: Day }}
      classNames={classNames}
    />
  )
}

/** Returns midnight in the browser's time zone, as the calendar's days have no time zone of their own. */
function dayOf(date: string | undefined): Date | undefined {
  if (!date) return undefined
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day)
}

const dateOf = (day: Date): string =>
  `${String(day.getFullYear()).padStart(4, '0')}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`

const dayProp = <Name extends string>(name: Name, day: Date | undefined): { [name in Name]?: Date } =>
  // Safe: the computed key is the only key.
  (day ? { [name]: day } : {}) as { [name in Name]?: Date }

function bound(side: 'before' | 'after', date: string | undefined) {
  const day = dayOf(date)
  return day ? [side === 'before' ? { before: day } : { after: day }] : []
}

const Chevron = ({ orientation = 'down' }: { orientation?: 'up' | 'down' | 'left' | 'right' }) => <Icon name={`chevron-${orientation}`} />

/** A day that cannot be picked says so, and the text below the month says why. */
const Day = (props: DayButtonProps) => <DayButton {...props} aria-disabled={props.modifiers['off'] || undefined} />

/** Returns the days that can be picked, from the first to the last. */
const rangeOf = (min: string | undefined, max: string | undefined): string => `${displayDate(min) ?? ''} – ${displayDate(max) ?? ''}`.trim()

const stepClass =
  'grid size-8 place-items-center rounded-md text-quiet hover:bg-sunken hover:text-ink aria-disabled:opacity-35 pointer-coarse:size-11'

const classNames = {
  root: 'text-sm select-none',
  months: 'relative',
  month_caption: 'flex h-8 items-center pl-1.5 pointer-coarse:h-11',
  dropdowns: 'flex gap-1',
  dropdown_root: 'relative inline-flex items-center rounded-md has-focus-visible:outline-2 has-focus-visible:outline-ink',
  dropdown: 'absolute inset-0 cursor-pointer appearance-none text-base opacity-0',
  caption_label: 'inline-flex items-center gap-0.5 rounded-md px-1.5 py-1 font-semibold capitalize',
  chevron: 'size-3.5',
  nav: 'absolute top-0 right-0 flex',
  button_previous: stepClass,
  button_next: stepClass,
  month_grid: 'mt-1 border-collapse',
  weekday: 'size-9 text-xs font-medium text-faint pointer-coarse:size-11',
  day: 'p-0 text-center',
  day_button: 'size-9 rounded-md hover:bg-sunken off:cursor-not-allowed off:bg-transparent pointer-coarse:size-11',
  today: 'font-semibold underline underline-offset-4',
  selected: '*:bg-ink *:font-semibold *:text-sheet *:no-underline *:hover:bg-ink',
  outside: 'text-faint',
}
