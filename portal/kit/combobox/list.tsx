import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { floatingLook, useFloating } from '#portal/kit/ui/floating.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWaitWord } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Option } from './options.ts'

export type Props = {
  id: string
  label: string
  options: readonly Option<string | number>[]
  chosen: readonly Option<string | number>[]
  active: number
  multiple: boolean
  loading: boolean
  failed?: boolean
  /** Says what to type before anything is searched, so that the list does not say that nothing matches. */
  lack?: string | undefined
  query: string
  anchor: RefObject<HTMLElement | null>
  popover: RefObject<HTMLDivElement | null>
  onPick: (index: number) => void
  onPoint: (index: number) => void
  /** Content below a list of few options, which is then as wide as they are. */
  foot?: ReactNode
}

/** The list below a combobox. The page contains only the visible options and the active one, as there may be hundreds. */
export function OptionList({
  id,
  label,
  options,
  chosen,
  active,
  multiple,
  loading,
  failed = false,
  lack,
  query,
  anchor,
  popover,
  onPick,
  onPoint,
  foot,
}: Props) {
  const { words } = useWords()
  const wait = useWaitWord()
  const scroller = useRef<HTMLDivElement>(null)
  const fitsContent = foot !== undefined
  useFloating(true, anchor, popover, { wide: fitsContent ? 'at least' : 'exactly' })
  const rows = useVirtualizer({
    count: options.length,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    overscan: 6,
    // The text field points to the active option, which must therefore always be in the page.
    rangeExtractor: range => withActive(defaultRangeExtractor(range), active, options.length),
  })
  useEffect(() => {
    if (active >= 0) rows.scrollToIndex(active)
  }, [rows, active])
  useEffect(() => {
    if (active < 0) rows.scrollToOffset(0)
  }, [rows, active, query])

  function noneWords(): string {
    if (loading) return wait
    if (failed) return words('shell.offline')
    if (lack) return lack
    return query.trim() ? words('ui.combobox.none', { text: query.trim() }) : words('ui.combobox.empty')
  }

  return (
    <div ref={popover} popover="manual" className={`${floatingLook} open:flex open:flex-col overflow-hidden ${fitsContent ? 'w-max' : ''}`}>
      <div ref={scroller} className="max-h-80 min-h-0 overflow-auto p-1">
        {options.length === 0 && <p className="px-2.5 py-2 text-quiet">{noneWords()}</p>}
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={words('ui.combobox.options', { label })}
          aria-multiselectable={multiple || undefined}
          className="relative"
          style={{ height: rows.getTotalSize() }}
        >
          {rows.getVirtualItems().map(({ index, start, size }) => {
            const option = options[index]
            if (!option) return null
            const selected = chosen.some(({ value }) => value === option.value)
            return (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text field keeps the focus and handles the keys
              <div
                key={option.value}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={selected}
                aria-setsize={options.length}
                aria-posinset={index + 1}
                data-active={index === active || undefined}
                onMouseDown={event => event.preventDefault()}
                onMouseMove={() => index !== active && onPoint(index)}
                onClick={() => onPick(index)}
                className="absolute inset-x-0 top-0 flex cursor-pointer items-center gap-2 rounded-sm px-2.5 text-base aria-selected:font-medium data-active:bg-sunken"
                style={{ height: size, transform: `translateY(${start}px)` }}
              >
                <span className="truncate">{option.label}</span>
                {option.detail && <span className="ml-auto shrink-0 text-sm text-quiet">{option.detail}</span>}
                {selected && <Icon name="check" className={`size-4 ${option.detail ? '' : 'ml-auto'}`} />}
              </div>
            )
          })}
        </div>
        {fitsContent && <Widths options={options} />}
      </div>
      {foot}
    </div>
  )
}

/** Makes the list as wide as its options. They are positioned absolutely and have no width in the layout. */
const Widths = ({ options }: Pick<Props, 'options'>) => (
  <div aria-hidden="true" className="invisible h-0 overflow-hidden">
    {options.map(({ value, label, detail }) => (
      <p key={value} className="flex gap-2 px-2.5 text-base whitespace-nowrap">
        {label}
        <span className="text-sm">{detail}</span>
      </p>
    ))}
  </div>
)

const withActive = (rows: number[], active: number, count: number): number[] =>
  active < 0 || active >= count || rows.includes(active) ? rows : [...rows, active].toSorted((one, other) => one - other)

/** Returns the height of a control in pixels, which depends on the density and the pointer. */
function rowHeight(): number {
  const root = getComputedStyle(document.documentElement)
  return Number.parseFloat(root.getPropertyValue('--control')) * Number.parseFloat(root.fontSize)
}
