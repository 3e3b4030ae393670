import { cloneElement, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { floatingLook, type Side, useFloating } from '#portal/kit/ui/floating.ts'

const delayMs = 400

type Props = {
  text: string
  side?: Side
  /** True if the tooltip repeats the control's label, so that screen readers skip it. */
  naming?: boolean
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
}

/** A tooltip, shown when the pointer rests on a control, or at once on keyboard focus. Escape hides it; touch does not show it. */
export function Tooltip({ text, side = 'above', naming = false, children }: Props) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLElement>(null)
  const bubble = useRef<HTMLSpanElement>(null)
  const timer = useRef(0)
  useFloating(open, anchor, bubble, { side, align: 'center', gap: 6 })
  useEffect(() => () => window.clearTimeout(timer.current), [])

  function show(target: Element, after: number) {
    // Safe: the controls inside a tooltip are HTML elements.
    anchor.current = target as HTMLElement
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setOpen(true), after)
  }
  function hide() {
    window.clearTimeout(timer.current)
    setOpen(false)
  }

  return (
    <span
      role="none"
      className="contents"
      onPointerOver={event => event.pointerType === 'mouse' && event.target instanceof Element && show(control(event.target), delayMs)}
      onPointerOut={hide}
      onPointerDown={hide}
      onFocus={event => event.target.matches(':focus-visible') && show(event.target, 0)}
      onBlur={hide}
      onKeyDown={event => event.key === 'Escape' && hide()}
    >
      {naming ? children : cloneElement(children, { 'aria-describedby': id })}
      {open || !naming ? (
        <span
          ref={bubble}
          id={id}
          popover="manual"
          role="tooltip"
          aria-hidden={naming || undefined}
          className={`${floatingLook} pointer-events-none max-w-64 bg-ink! px-2 py-1 text-xs font-medium text-page!`}
        >
          {text}
        </span>
      ) : null}
    </span>
  )
}

const control = (target: Element): Element => target.closest('button, a, input, select, [tabindex]') ?? target
