import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'

type Props<Id extends string> = {
  label: string
  tabs: readonly { id: Id; label: string; count?: number | string }[]
  /** Undefined if the shown content belongs to no tab. */
  value: Id | undefined
  onChange: (id: Id) => void
  /** Buttons beside the tabs. */
  after?: ReactNode
  children: ReactNode
}

/** Tabs with their panel. The arrow keys move to a tab and show it at once. On a wide screen, those that do not fit wrap, as a mouse cannot swipe. */
export function Tabs<Id extends string>({ label, tabs, value, onChange, after, children }: Props<Id>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // Scrolls the selected tab into view if not all tabs fit.
  useLayoutEffect(() => {
    const [tabs, tab] = [list.current, list.current?.querySelector<HTMLElement>(`[data-tab="${value}"]`)]
    if (!tabs || !tab) return
    const [start, end] = [tab.offsetLeft - tabs.offsetLeft, tab.offsetLeft - tabs.offsetLeft + tab.offsetWidth]
    if (start < tabs.scrollLeft) tabs.scrollLeft = start
    else if (end > tabs.scrollLeft + tabs.clientWidth) tabs.scrollLeft = end - tabs.clientWidth
  }, [value])
  function move(event: KeyboardEvent) {
    const current = tabs.findIndex(tab => tab.id === value)
    const to = { ArrowRight: current + 1, ArrowLeft: current - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key]
    const tab = to === undefined ? undefined : tabs[to % tabs.length]
    if (!tab) return
    event.preventDefault()
    onChange(tab.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus()
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <div className="flex items-center gap-2 border-b border-line">
        <div
          ref={list}
          role="tablist"
          tabIndex={-1}
          aria-label={label}
          onKeyDown={move}
          className="-mb-px flex min-w-0 gap-x-4 overflow-x-auto [scrollbar-width:none] sm:flex-wrap"
        >
          {tabs.map((tab, index) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              data-tab={tab.id}
              aria-selected={tab.id === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === value || (value === undefined && index === 0) ? 0 : -1}
              onClick={() => onChange(tab.id)}
              className="flex min-h-(--control) shrink-0 items-center gap-2 border-b-2 border-transparent px-0.5 text-quiet -outline-offset-2 transition-colors hover:text-ink aria-selected:border-ink aria-selected:font-semibold aria-selected:text-ink"
            >
              {tab.label}
              {tab.count !== undefined && <span className="text-sm font-normal text-faint">{tab.count}</span>}
            </button>
          ))}
        </div>
        {after}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        {...(value === undefined ? { 'aria-label': label } : { 'aria-labelledby': `${id}-${value}` })}
      >
        {children}
      </div>
    </div>
  )
}
