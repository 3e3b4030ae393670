import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react'

type Box = { left: number; top: number; width: number; height: number }
type Size = { width: number; height: number }
export type Side = 'below' | 'above'
export type Align = 'start' | 'center' | 'end'

const margin = 8

/** Where a floating thing stands: beside its anchor, on the other side where there is more room, and never off the screen. */
export function placed(anchor: Box, floating: Size, screen: Size, wish: { side: Side; align: Align; gap: number }) {
  const room = { above: anchor.top - wish.gap - margin, below: screen.height - anchor.top - anchor.height - wish.gap - margin }
  const other = wish.side === 'below' ? 'above' : 'below'
  const side = floating.height > room[wish.side] && room[other] > room[wish.side] ? other : wish.side
  const height = Math.min(floating.height, room[side])
  const top = side === 'below' ? anchor.top + anchor.height + wish.gap : anchor.top - wish.gap - height
  const spare = { start: 0, center: (anchor.width - floating.width) / 2, end: anchor.width - floating.width }[wish.align]
  const left = Math.max(margin, Math.min(anchor.left + spare, screen.width - floating.width - margin))
  return { side, left, top, maxHeight: Math.max(0, room[side]) }
}

/**
 * Keeps a popover beside its anchor while it is open, also when the page scrolls or either changes its size. The styles are set through
 * the style object, which the page's policy allows. A popover inside a dialog stays inside it, so it is not inert.
 */
export function useFloating(
  open: boolean,
  anchor: RefObject<HTMLElement | null>,
  floating: RefObject<HTMLElement | null>,
  { side = 'below', align = 'start', gap = 4, wide = false }: { side?: Side; align?: Align; gap?: number; wide?: boolean } = {},
): void {
  useLayoutEffect(() => {
    const [from, box] = [anchor.current, floating.current]
    if (!open || !from || !box) return
    if (!box.matches(':popover-open')) box.showPopover()
    const place = () => {
      const at = from.getBoundingClientRect()
      if (wide) box.style.width = `${at.width}px`
      box.style.maxHeight = ''
      const screen = { width: document.documentElement.clientWidth, height: window.innerHeight }
      const { left, top, maxHeight } = placed(at, { width: box.offsetWidth, height: box.offsetHeight }, screen, { side, align, gap })
      box.style.left = `${left}px`
      box.style.top = `${top}px`
      box.style.maxHeight = `${maxHeight}px`
    }
    place()
    const sizes = new ResizeObserver(place)
    sizes.observe(from)
    sizes.observe(box)
    window.addEventListener('scroll', place, { capture: true, passive: true })
    window.addEventListener('resize', place)
    return () => {
      sizes.disconnect()
      window.removeEventListener('scroll', place, { capture: true })
      window.removeEventListener('resize', place)
      if (box.matches(':popover-open')) box.hidePopover()
    }
  }, [open, anchor, floating, side, align, gap, wide])
}

/**
 * Closes what floats when something else is pressed or focused, and on Escape, which then does not reach the dialog around it. Only after
 * Escape does the focus belong back where it came from.
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

/** Takes away what a browser gives a popover: it stands where useFloating puts it. */
export const floatingLook = 'fixed inset-auto m-0 overflow-auto rounded-lg bg-raised text-ink shadow-raised'
