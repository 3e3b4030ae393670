import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { State } from '#portal/kit/ui/card.tsx'
import { useWaitWord } from '#portal/kit/ui/progress.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { Caps } from '#portal/kit/shortcuts/keys.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { later } from '#portal/kit/page/later.tsx'
import type { PolicySearch } from '#portal/policies/use-policy-search.ts'
import { type Command, useOpen, useSections } from './commands.ts'

type Row = PolicySearch['rows'][number]

const [SendDialog] = later(async () => (await import('#portal/policies/send/send-dialog.tsx')).SendDialog)

/** Finds pages, products and policies by a few letters. `firstText` was typed before the palette was loaded. */
export function Palette({ firstText, onClose }: { firstText: string; onClose: () => void }) {
  const { words } = useWords()
  const id = useId()
  const [query, setQuery] = useState(firstText)
  const [activeIndex, setActiveIndex] = useState(0)
  const [sending, setSending] = useState<Row>()
  const { sections, areSimilar, state, searchAgain } = useSections(query, setSending)
  const wait = useWaitWord('ui.searching')
  const open = useOpen()
  useEffect(
    () => () => {
      // The browser gives the focus back, unless the element that had it is gone.
      if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true })
    },
    [],
  )
  const all = sections.flatMap(({ commands }) => commands)
  const current = all[Math.min(activeIndex, all.length - 1)]

  function choose(command: Command | undefined) {
    if (!command && state === 'failed') searchAgain()
    if (!command) return
    open(command)
    if (!command.takesOver) onClose()
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setActiveIndex((Math.min(activeIndex, all.length - 1) + step + all.length) % Math.max(all.length, 1))
    else if (event.key === 'Enter') choose(current)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  if (sending) return <SendDialog rows={[sending]} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={words('shell.search')} size="medium" anchored showCloseIcon={false}>
      <input
        data-first
        type="text"
        inputMode="search"
        name="palette"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={current && `${id}-${current.value}`}
        aria-label={words('shell.search')}
        placeholder={words('keys.palette.hint')}
        autoComplete="off"
        value={query}
        onChange={event => {
          setQuery(event.target.value)
          setActiveIndex(0)
        }}
        onKeyDown={onKeyDown}
        className="control px-3"
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={words('shell.search')}
        className="grid max-h-[60dvh] grid-cols-[minmax(0,1fr)] gap-2 overflow-auto empty:hidden"
      >
        {sections.map(({ title, commands }) => (
          <div key={title} role="group" aria-label={title} className="grid grid-cols-[minmax(0,1fr)]">
            <p aria-hidden="true" className="px-2.5 pb-1 text-xs text-faint">
              {title}
            </p>
            {commands.map(command => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input keeps the focus and handles the keys
              <div
                key={command.value}
                id={`${id}-${command.value}`}
                role="option"
                tabIndex={-1}
                aria-selected={command === current}
                ref={element => {
                  if (command === current) element?.scrollIntoView({ block: 'nearest' })
                }}
                onPointerMove={() => setActiveIndex(all.indexOf(command))}
                onClick={() => choose(command)}
                className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2.5 aria-selected:bg-ink/6 pointer-coarse:min-h-11"
              >
                <Icon name={command.icon} className="size-4 text-quiet" />
                <span className="min-w-0 flex-1 truncate">{command.label}</span>
                {command.mark && <State tone="over">{command.mark}</State>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className="px-2.5 py-2 text-quiet empty:hidden">
        {state === 'searching' && wait}
        {state === 'failed' && words('shell.offline')}
        {all.length === 0 && state === 'short' && words('keys.palette.short')}
        {(all.length === 0 || areSimilar) && state === 'answered' && words('ui.combobox.none', { text: query })}
      </p>
      <p aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 border-t border-hair pt-2 text-xs text-faint pointer-coarse:hidden">
        {hints.map(([keys, label]) => (
          <span key={label} className="inline-flex items-center gap-1.5">
            {keys.map(key => (
              <Caps key={key} keys={key} />
            ))}
            {words(label)}
          </span>
        ))}
      </p>
    </Dialog>
  )
}

const hints = [
  [['↑', '↓'], 'keys.move'],
  [['Enter'], 'keys.open'],
  [['Escape'], 'keys.close'],
  [['?'], 'keys.title'],
] as const
