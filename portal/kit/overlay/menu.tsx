import { Fragment, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconName } from '#portal/kit/ui/icon.tsx'
import { type Align, floatingLook, useDismiss, useFloating } from '#portal/kit/ui/floating.ts'

export type MenuItem = {
  label: string
  icon?: IconName
  /** A key or a state, at the end of the item. */
  detail?: string
  danger?: boolean
  disabled?: boolean
  /** Makes the item a choice: on or off, or one of several. */
  checked?: boolean
  /** Makes the item a checkbox that leaves the menu open. */
  several?: boolean
  /** Draws a line above the item. */
  apart?: boolean
  onSelect: () => void
}

/** The attributes of the button that opens the menu. */
type MenuTrigger = {
  ref: RefObject<HTMLButtonElement | null>
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

type Props = {
  label: string
  items: readonly MenuItem[]
  align?: Align
  /** Opens the menu at once, for a button that was just rendered. */
  startsOpen?: boolean
  onClose?: () => void
  children: (trigger: MenuTrigger) => ReactNode
}

/** A menu behind a button. Arrow keys, first letters, Home and End move the focus; Escape returns it to the button. */
export function Menu({ label, items, align = 'end', startsOpen = false, onClose, children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<false | 'first' | 'last'>(startsOpen && 'first')
  useFloating(open !== false, button, popover, { align })
  useDismiss(open !== false, [button, popover], by => close(by === 'escape'))
  useEffect(() => {
    if (open)
      itemsIn(popover)
        .at(open === 'first' ? 0 : -1)
        ?.focus()
  }, [open])

  function close(back: boolean) {
    setOpen(false)
    if (back) button.current?.focus()
    onClose?.()
  }
  function move(event: KeyboardEvent) {
    if (event.key === 'Tab') return close(true)
    const shown = itemsIn(popover)
    const to = nextItem(
      shown.map(item => item.textContent ?? ''),
      shown.findIndex(item => item === document.activeElement),
      event.key,
    )
    if (to === undefined) return
    event.preventDefault()
    shown[to]?.focus()
  }
  return (
    <>
      {children({
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': open !== false,
        'aria-controls': open ? id : undefined,
        onClick: () => setOpen(open ? false : 'first'),
        onKeyDown: event => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setOpen(event.key === 'ArrowDown' ? 'first' : 'last')
        },
      })}
      {open && (
        <div
          ref={popover}
          id={id}
          popover="manual"
          role="menu"
          tabIndex={-1}
          aria-label={label}
          onKeyDown={move}
          className={`${floatingLook} min-w-44 p-1`}
        >
          {items.map(item => (
            <Fragment key={item.label}>
              {item.apart && <hr className="-mx-1 my-1 border-line" />}
              <button
                type="button"
                role={item.checked === undefined ? 'menuitem' : item.several ? 'menuitemcheckbox' : 'menuitemradio'}
                aria-checked={item.checked}
                aria-disabled={item.disabled}
                tabIndex={-1}
                onPointerMove={event => event.currentTarget.focus()}
                onClick={() => {
                  if (item.disabled) return
                  if (!item.several) close(true)
                  item.onSelect()
                }}
                className={`flex min-h-(--control) w-full items-center gap-2.5 rounded-sm px-2.5 text-left outline-none focus:bg-sunken aria-disabled:cursor-not-allowed aria-disabled:text-faint ${item.danger ? 'text-danger' : ''}`}
              >
                {item.icon && <Icon name={item.icon} className={`size-4 ${item.danger ? '' : 'text-quiet'}`} />}
                <span className="flex-1 truncate">{item.label}</span>
                {item.detail && <span className="text-sm text-quiet">{item.detail}</span>}
                {item.checked && <Icon name="check" className="size-4" />}
              </button>
            </Fragment>
          ))}
        </div>
      )}
    </>
  )
}

/** Returns all items. Disabled ones can be focused but not pressed (ARIA menu pattern). */
const itemsIn = (popover: RefObject<HTMLElement | null>): HTMLElement[] => [
  ...(popover.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? []),
]

/** Returns the index of the item that a key moves to. A letter moves to the next item that begins with it. */
export function nextItem(labels: readonly string[], current: number, key: string): number | undefined {
  const count = labels.length
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (current + 1) % count
  if (key === 'ArrowUp') return (Math.max(current, 0) - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key.length !== 1 || key === ' ') return undefined
  const order = labels.map((_, index) => (current + 1 + index) % count)
  return order.find(index => labels[index]?.trim().toLowerCase().startsWith(key.toLowerCase()))
}
