import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { isTypingIn } from '#portal/kit/shortcuts/shortcuts.ts'
import { rowOf } from '#portal/kit/list/rows.ts'
import { useTitle } from '#portal/kit/page/page.tsx'
import { useEscape } from './escape.ts'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import './side-panel.css'

export type Step = (direction: 1 | -1) => void

type Props = {
  /** The heading, which names the region. */
  title: string
  /** The state beside the heading, and a tag. */
  state?: ReactNode
  /** The key of the shown row, to which the focus returns. */
  of: string
  /** The list's title, if the panel is a page of its own. `onClose` then leads back to the list. */
  alone?: string | undefined
  /** True if the page has room for two columns. */
  isWide?: boolean
  /** Shows the next or previous row. Undefined if the list does not have this row. */
  onStep?: Step | undefined
  /** Opens it as a page of its own. */
  onAlone?: () => void
  onClose: () => void
  /** The actions in the footer, with the main one first. */
  actions?: ReactNode
  children: ReactNode
}

/**
 * The details of a row beside the list, which stays usable: the arrow keys move to another row. On a phone it covers the page. A row opened by Enter
 * passes the focus to the panel, a clicked row keeps it.
 */
export function SidePanel({ title, state, of, alone, isWide = false, onStep, onAlone, onClose, actions, children }: Props) {
  const { words } = useWords()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useFocus(heading, of, alone !== undefined)
  useEscape(alone ? undefined : onClose)
  function press(event: KeyboardEvent) {
    const direction = { j: 1, k: -1, ...(event.target === heading.current && { ArrowDown: 1, ArrowUp: -1 }) }[event.key]
    if (direction === undefined || !onStep || isTypingIn(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onStep(direction === 1 ? 1 : -1)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys are those of the list, whose row it shows
    <section
      aria-labelledby={`${id}-title`}
      data-panel={!alone || undefined}
      onKeyDown={press}
      className={alone ? `${pageLook} ${isWide ? 'max-w-none' : 'max-w-2xl'}` : panelLook}
    >
      {alone && <PageTitle of={alone} title={title} />}
      <header className={`flex items-center gap-1 border-b border-hair py-2 pr-3 ${alone ? 'pl-3' : 'pl-5'}`}>
        {alone && <IconButton icon="arrow-left" label={alone} onClick={onClose} className="mr-1" />}
        <div className="flex min-w-0 flex-1 items-center gap-2.5">
          <h2 ref={heading} id={`${id}-title`} tabIndex={-1} className="truncate font-semibold outline-none">
            {title}
          </h2>
          {state}
        </div>
        {onStep && <IconButton icon="chevron-up" label={words('panel.previous')} onClick={() => onStep(-1)} />}
        {onStep && <IconButton icon="chevron-down" label={words('panel.next')} onClick={() => onStep(1)} />}
        {onAlone && <IconButton icon="file" label={words('panel.alone')} onClick={onAlone} className="max-md:hidden" />}
        {!alone && <IconButton icon="x" label={words('ui.close')} onClick={onClose} />}
      </header>
      <div className={`grid content-start gap-6 px-5 py-3 ${alone ? '' : 'min-h-0 flex-1 overflow-y-auto'}`}>{children}</div>
      {actions && (
        <footer
          data-foot={alone !== undefined || undefined}
          className={`flex flex-wrap gap-2 border-t border-line bg-sheet px-5 py-3 ${alone ? 'sticky bottom-0' : ''}`}
        >
          {actions}
        </footer>
      )}
    </section>
  )
}

function PageTitle({ of, title }: { of: string; title: string }) {
  useTitle(title)
  return <h1 className="sr-only">{of}</h1>
}

/** Takes the focus when the panel opens, and returns it to the row when the panel closes. */
function useFocus(heading: RefObject<HTMLHeadingElement | null>, of: string, alone: boolean): void {
  const shown = useRef(of)
  useEffect(() => {
    shown.current = of
  }, [of])
  useEffect(() => {
    if (alone) return
    const opener = document.activeElement
    // A field of the panel already has the focus.
    const isInside = heading.current?.closest('section')?.contains(opener)
    const wasClicked = opener instanceof HTMLTableRowElement && !opener.matches(':focus-visible')
    if (!isInside && (!wasClicked || getComputedStyle(opener).visibility === 'hidden')) heading.current?.focus({ preventScroll: true })
    return () => {
      if (document.activeElement !== document.body) return
      // Without its list, the panel has become a page, whose heading takes the focus.
      const page = document.querySelector<HTMLElement>('section:not([data-panel]) > header h2[tabindex]')
      const target = rowOf(shown.current) ?? page ?? (opener instanceof HTMLElement ? opener : undefined)
      target?.focus()
    }
  }, [alone, heading])
}

const panelLook =
  'fixed top-0 right-0 z-20 flex h-dvh w-full flex-col border-l border-line bg-sheet shadow-raised transition-[opacity,translate] duration-150 ease-calm sm:w-140 starting:translate-x-6 starting:opacity-0'
const pageLook = 'mx-auto border border-hair bg-sheet'
