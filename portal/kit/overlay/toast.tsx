import { useEffect, useRef, useState } from 'react'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { closeToast, type Position, type ToastState } from './notices.ts'
import './toast.css'

/**
 * A toast, which closes by itself. The pointer or the focus on it pauses its time. One with an action stays longer, and so is at the bottom: the top
 * has the controls of a page.
 */
export function Toast({ toast: { severity, summary, detail, position, life, action } }: { toast: ToastState }) {
  const place = action ? 'bottom-left' : position
  const { words } = useWords()
  const card = useRef<HTMLDivElement>(null)
  const remaining = useRef(life)
  const [isPaused, setIsPaused] = useState(false)
  useEffect(() => {
    card.current?.showPopover()
    // The toast may have opened over the field that is in use.
    document.activeElement?.scrollIntoView({ block: 'nearest' })
  }, [])
  useEffect(() => {
    if (isPaused || life === 0) return
    const began = performance.now()
    const timer = window.setTimeout(closeToast, remaining.current)
    return () => {
      window.clearTimeout(timer)
      remaining.current = Math.max(0, remaining.current - (performance.now() - began))
    }
  }, [isPaused, life])
  return (
    <div
      ref={card}
      popover="manual"
      role="none"
      data-toast={place}
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
      onKeyDown={event => event.key === 'Escape' && closeToast()}
      className={`fixed m-0 max-w-none rounded-lg bg-ink text-page shadow-raised transition-[opacity,translate] duration-150 ease-calm open:flex starting:translate-y-1 starting:opacity-0 max-sm:inset-x-4 max-sm:w-auto sm:w-90 ${positionClasses[place]}`}
    >
      <div className={`flex flex-1 gap-3 py-2 pl-4 ${detail ? 'items-start' : 'items-center'}`}>
        <Icon name={icons[severity]} className={`size-4 ${detail ? 'mt-2.5' : ''}`} />
        <div className="flex flex-1 flex-wrap items-center gap-x-4 gap-y-0.5">
          <div className="grid flex-1 gap-0.5 py-2">
            <p className="font-semibold">{summary}</p>
            {detail && <p>{detail}</p>}
          </div>
          {action && (
            <button
              type="button"
              onClick={() => {
                closeToast()
                action.run()
              }}
              className="min-h-8 font-semibold underline underline-offset-3 pointer-coarse:min-h-11"
            >
              {action.label}
            </button>
          )}
        </div>
        <IconButton icon="x" label={words('ui.close')} onClick={closeToast} className="mr-1 text-page! hover:bg-page/15!" />
      </div>
    </div>
  )
}

const icons = { success: 'check-circle', info: 'info', warn: 'alert-triangle', error: 'alert-circle' } as const

const positionClasses: Record<Position, string> = {
  'top-left': 'top-4 bottom-auto sm:left-4 sm:right-auto',
  'top-center': 'top-4 bottom-auto sm:mx-auto sm:inset-x-0',
  'top-right': 'top-4 bottom-auto sm:right-4 sm:left-auto',
  'bottom-left': 'bottom-4 top-auto sm:left-4 sm:right-auto',
  'bottom-center': 'bottom-4 top-auto sm:mx-auto sm:inset-x-0',
  'bottom-right': 'bottom-4 top-auto sm:right-4 sm:left-auto',
}
