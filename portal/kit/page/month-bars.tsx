import { intlTag } from '#common/kit/locales.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import './month-bars.css'

/** A month (YYYY-MM), its amount or null, and the tooltip's text beside its name. */
type Bar = { name: string; amount: number | null; hint: string }

const [width, height, gap, top] = [240, 84, 12, 14]
/** The width of a digit, in units, on a phone and on wider screens. There a unit is larger and text is smaller. */
const digit = { phone: 6, wide: 4.4 }
/** With more months than this, a phone shows only their first letters. */
const maxNamed = 8

/** Draws amounts as bars, the last month's in colour, and those below zero as a loss. A table beside it has all figures. */
export function MonthBars({ label, months }: { label: string; months: readonly Bar[] }) {
  const { words } = useWords()
  const { number } = useFormat()
  const nameOf = useMonthNames('short')
  const letterOf = useMonthNames('narrow')
  const highest = Math.max(1, ...months.map(({ amount }) => Math.abs(amount ?? 0)))
  const barWidth = width / Math.max(1, months.length)
  const space = Math.min(gap, barWidth / 3)
  const texts = months.map(({ amount }) => (amount === null ? '–' : number(Math.round(amount))))
  const longest = Math.max(0, ...texts.map(text => text.length))
  // If the amounts do not fit beside each other, only those of the last and the highest month are shown.
  const crowded = longest * digit.wide > barWidth ? 'crowded' : longest * digit.phone > barWidth ? 'crowded-phone' : ''
  return (
    <svg
      viewBox={`0 0 ${width} ${top + height + 18}`}
      role="img"
      aria-label={label}
      className="month-bars w-full max-w-96 justify-self-center"
    >
      {months.map(({ name, amount, hint }, index) => {
        const barHeight = Math.max((Math.abs(amount ?? 0) / highest) * height, 1.5)
        const isLast = index === months.length - 1
        return (
          <g key={name}>
            <title>{`${words('ui.form.field', { label: nameOf(name) })} ${hint}`}</title>
            <rect
              x={index * barWidth + space / 2}
              y={top + height - barHeight}
              width={barWidth - space}
              height={barHeight}
              rx="2"
              {...((amount ?? 0) < 0
                ? { fill: 'currentColor', className: 'text-danger' }
                : { className: isLast ? 'fill-accent' : 'earlier' })}
            />
            <text
              x={index * barWidth + barWidth / 2}
              y={top + height - barHeight - 4}
              textAnchor="middle"
              className={`fill-quiet ${isLast ? 'font-semibold' : Math.abs(amount ?? 0) === highest ? '' : crowded}`}
            >
              {texts[index]}
            </text>
            {months.length > maxNamed && (
              <text x={index * barWidth + barWidth / 2} y={top + height + 14} textAnchor="middle" className="fill-quiet on-phone">
                {letterOf(name)}
              </text>
            )}
            <text
              x={index * barWidth + barWidth / 2}
              y={top + height + 14}
              textAnchor="middle"
              className={`fill-quiet ${months.length > maxNamed ? 'crowded-phone' : ''}`}
            >
              {nameOf(name)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

/** Returns a function that names a month (YYYY-MM). */
export function useMonthNames(month: 'narrow' | 'short' | 'long'): (name: string) => string {
  const { locale } = useWords()
  const format = new Intl.DateTimeFormat(intlTag(locale), { month, timeZone: 'UTC', ...(month === 'long' ? { year: 'numeric' } : {}) })
  return name => format.format(new Date(`${name}-01T00:00:00Z`))
}
