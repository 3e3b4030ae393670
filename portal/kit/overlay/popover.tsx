import { createContext, type ReactNode, type RefObject, useCallback, useContext, useEffect, useId, useRef, useState } from 'react'
import { type Align, floatingLook, useDismiss, useFloating } from '#portal/kit/ui/floating.ts'

/** The attributes of the button that opens the popover. */
type PopoverTrigger = {
  ref: RefObject<HTMLButtonElement | null>
  'aria-haspopup': 'dialog'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onClick: () => void
}

type Props = {
  label: string
  align?: Align
  /** Opens it at once, for a button that was just rendered. */
  startsOpen?: boolean
  onClose?: () => void
  content: ReactNode
  children: (trigger: PopoverTrigger) => ReactNode
}

const Closing = createContext(() => {})

/** Returns the function that closes the popover around this content. */
export const useClosePopover = (): (() => void) => useContext(Closing)

/** A small window behind a button, beside the page and not over it. Escape, or a click outside, closes it. */
export function Popover({ label, align = 'start', startsOpen = false, onClose, content, children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(startsOpen)
  const closeBack = useCallback(() => {
    setOpen(false)
    button.current?.focus()
    onClose?.()
  }, [onClose])
  function leave() {
    // Moves the focus before it closes, so that its field completes the typed text.
    if (document.activeElement instanceof HTMLElement && box.current?.contains(document.activeElement)) document.activeElement.blur()
    setOpen(false)
    onClose?.()
  }
  useFloating(open, button, box, { align })
  useDismiss(open, [button, box], by => (by === 'escape' ? closeBack() : leave()))
  useEffect(() => {
    if (open) box.current?.querySelector<HTMLElement>('[data-first], input, select, button, a')?.focus()
  }, [open])
  return (
    <>
      {children({
        ref: button,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => (open ? closeBack() : setOpen(true)),
      })}
      {open && (
        <div ref={box} id={id} popover="manual" role="dialog" aria-label={label} tabIndex={-1} className={`${floatingLook} p-3`}>
          <Closing value={closeBack}>{content}</Closing>
        </div>
      )}
    </>
  )
}
