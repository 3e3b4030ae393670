import type { When } from '#common/reports/due.ts'
import { intlTag } from '#common/kit/locales.ts'
import { useWords } from '#portal/kit/words.tsx'

/** Returns the name of a weekday; 1 is Monday. */
export function useWeekdayName(): (weekday: number) => string {
  const { locale } = useWords()
  const format = new Intl.DateTimeFormat(intlTag(locale), { weekday: 'long', timeZone: 'UTC' })
  // 5 January 1970 was a Monday.
  return weekday => format.format(new Date((weekday + 3) * 86_400_000))
}

export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Returns a function that says in words when a schedule is due. */
export function useWhenWords(): (when: When) => string {
  const { words } = useWords()
  const weekdayName = useWeekdayName()
  return ({ monthDay, weekday, hour }) =>
    monthDay
      ? words('reports.monthly_at', { day: monthDay, hour: hourText(hour) })
      : words('reports.weekly_at', { weekday: weekdayName(weekday ?? 1), hour: hourText(hour) })
}
