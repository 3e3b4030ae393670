import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'

type Props<Id extends string> = {
  label: string
  tabs: readonly { id: Id; label: string; count?: number }[]
  value: Id
  onChange: (id: Id) => void
  children: ReactNode
}

/** Tabs with their panel. The arrow keys move to a tab and show it at once. */
export function Tabs<Id extends string>({ label, tabs, value, onChange, children }: Props<Id>) {
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
    <div className="grid gap-(--gap)">
      <div
        ref={list}
        role="tablist"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={move}
        className="-mb-px flex gap-4 overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        {tabs.map(tab => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={() => onChange(tab.id)}
            className="flex min-h-(--control) shrink-0 items-center gap-2 border-b-2 border-transparent px-0.5 font-medium text-quiet -outline-offset-2 transition-colors hover:text-ink aria-selected:border-accent-ink aria-selected:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && <span className="rounded-full bg-sunken px-1.5 text-xs text-quiet">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  )
}
