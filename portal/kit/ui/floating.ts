import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react'

type Box = { left: number; top: number; width: number; height: number }
type Size = { width: number; height: number }
export type Side = 'below' | 'above'
export type Align = 'start' | 'center' | 'end'

const margin = 8

/** Returns the position of an element beside its anchor, on the side with space, and within the screen. */
export function positionOf(anchor: Box, floating: Size, screen: Size, options: { side: Side; align: Align; gap: number }) {
  const space = { above: anchor.top - options.gap - margin, below: screen.height - anchor.top - anchor.height - options.gap - margin }
  const other = options.side === 'below' ? 'above' : 'below'
  const side = floating.height > space[options.side] && space[other] > space[options.side] ? other : options.side
  const height = Math.min(floating.height, space[side])
  const top = side === 'below' ? anchor.top + anchor.height + options.gap : anchor.top - options.gap - height
  const spare = { start: 0, center: (anchor.width - floating.width) / 2, end: anchor.width - floating.width }[options.align]
  const left = Math.max(margin, Math.min(anchor.left + spare, screen.width - floating.width - margin))
  return { side, left, top, maxHeight: Math.max(0, space[side]) }
}

type Placing = {
  side?: Side
  align?: Align
  gap?: number
  /** Says if the popover is as wide as its anchor. */
  wide?: 'exactly' | 'at least'
}

/**
 * Keeps a popover beside its anchor while it is open, also when the page scrolls or either is resized. It sets styles through the style object, which
 * the content security policy allows. A popover inside a dialog stays inside it, so it is not inert.
 */
export function useFloating(
  open: boolean,
  anchor: RefObject<HTMLElement | null>,
  floating: RefObject<HTMLElement | null>,
  { side = 'below', align = 'start', gap = 4, wide }: Placing = {},
): void {
  useLayoutEffect(() => {
    const [from, box] = [anchor.current, floating.current]
    if (!open || !from || !box) return
    if (!box.matches(':popover-open')) box.showPopover()
    const update = () => {
      const anchorBox = from.getBoundingClientRect()
      if (wide) box.style[wide === 'exactly' ? 'width' : 'minWidth'] = `${anchorBox.width}px`
      box.style.maxHeight = ''
      const screen = { width: document.documentElement.clientWidth, height: window.innerHeight }
      const { left, top, maxHeight } = positionOf(anchorBox, { width: box.offsetWidth, height: box.offsetHeight }, screen, {
        side,
        align,
        gap,
      })
      box.style.left = `${left}px`
      box.style.top = `${top}px`
      box.style.maxHeight = `${maxHeight}px`
    }
    update()
    const sizes = new ResizeObserver(update)
    sizes.observe(from)
    sizes.observe(box)
    window.addEventListener('scroll', update, { capture: true, passive: true })
    window.addEventListener('resize', update)
    return () => {
      sizes.disconnect()
      window.removeEventListener('scroll', update, { capture: true })
      window.removeEventListener('resize', update)
      if (box.matches(':popover-open')) box.hidePopover()
    }
  }, [open, anchor, floating, side, align, gap, wide])
}

/**
 * Closes a floating element on Escape, or when another element is pressed or focused. Escape then does not reach the dialog around it. Callers
 * restore the focus only after Escape.
 */
export function useDismiss(open: boolean, parts: RefObject<HTMLElement | null>[], close: (by: 'escape' | 'leaving') => void): void {
  const leave = useEffectEvent((event: Event) => {
    const inside = parts.some(({ current }) => event.target instanceof Node && current?.contains(event.target))
    if (!inside) close('leaving')
  })
  const escape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    close('escape')
  })
  useEffect(() => {
    if (!open) return
    const stop = new AbortController()
    const options = { capture: true, signal: stop.signal }
    document.addEventListener('pointerdown', leave, options)
    document.addEventListener('focusin', leave, options)
    document.addEventListener('keydown', escape, options)
    return () => stop.abort()
  }, [open])
}

/** Removes the browser's own popover styles, so that useFloating can position it. It is never wider than the screen within its margins. */
export const floatingLook = 'fixed inset-auto m-0 max-w-[calc(100%-1rem)] overflow-auto rounded-lg bg-raised text-ink shadow-raised'
