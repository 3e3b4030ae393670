import type { ButtonHTMLAttributes, Ref } from 'react'
import { Icon, type IconName, Turning } from './icon.tsx'

/** `risk` opens a step that loses something, and `danger` is that step. */
export type ButtonLook = 'main' | 'quiet' | 'plain' | 'risk' | 'danger'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  look?: ButtonLook
  busy?: boolean
  icon?: IconName
  ref?: Ref<HTMLButtonElement>
}

/**
 * A button that cannot be pressed again while it is busy. It keeps its focus and size meanwhile. It is never `disabled`, because the keyboard could
 * not reach it: with `aria-disabled` it looks off, and says why when it is pressed.
 */
export function Button({ look = 'main', busy = false, icon, type = 'button', className = '', onClick, children, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? event => event.preventDefault() : onClick}
      className={`${buttonLook(look)} ${className}`}
    >
      {busy ? <Turning /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** Returns the classes of a button, also for links that look like one. */
export const buttonLook = (look: ButtonLook = 'main', width = 'px-3'): string => `${shape} ${width} ${looks[look]}`

const shape =
  'inline-flex min-h-(--control) shrink-0 items-center justify-center gap-2 rounded-md border text-[0.90625rem] font-semibold whitespace-nowrap transition-colors duration-100 select-none off:cursor-not-allowed off:text-faint off:shadow-none'

/** A plain button has no frame, even while it is off. */
const framedOff = 'off:border-line off:bg-sunken'

const looks: Record<ButtonLook, string> = {
  main: `${framedOff} border-transparent bg-accent text-on-accent shadow-low hover:bg-[color-mix(in_srgb,var(--color-accent)_90%,black)]`,
  quiet: `${framedOff} border-line bg-sheet text-ink shadow-low hover:bg-sunken`,
  plain: 'border-transparent text-quiet hover:bg-sunken hover:text-ink off:bg-transparent off:text-faint',
  risk: 'border-transparent text-danger hover:bg-danger-soft',
  danger: `${framedOff} border-transparent bg-danger-fill text-on-danger shadow-low hover:bg-[color-mix(in_srgb,var(--color-danger-fill)_90%,black)]`,
}
