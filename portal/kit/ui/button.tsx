import type { ButtonHTMLAttributes, Ref } from 'react'
import { Tooltip } from '#portal/kit/overlay/tooltip.tsx'
import { Icon, type IconName } from './icon.tsx'
import { Turning } from './progress.tsx'

type Look = 'main' | 'quiet' | 'plain' | 'danger'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: Look
  busy?: boolean
  icon?: IconName
  ref?: Ref<HTMLButtonElement>
}

/** A button that cannot be pressed twice while what it does is under way. It keeps the focus and its size meanwhile. */
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

/** Also for links that look like buttons. */
export const buttonLook = (look: Look = 'main'): string => `${shape} px-3.5 ${looks[look]}`

type IconProps = Omit<Props, 'children' | 'icon'> & { icon: IconName; label: string }

/** A button of one icon: its name is read out, and shown as a tooltip. */
export function IconButton({ icon, label, look = 'plain', busy = false, type = 'button', className = '', onClick, ...rest }: IconProps) {
  return (
    <Tooltip text={label} naming>
      <button
        {...rest}
        type={type}
        aria-label={label}
        aria-disabled={busy || undefined}
        aria-busy={busy || undefined}
        onClick={busy ? event => event.preventDefault() : onClick}
        className={`${shape} min-w-(--control) ${looks[look]} ${className}`}
      >
        {busy ? <Turning /> : <Icon name={icon} />}
      </button>
    </Tooltip>
  )
}

const shape =
  'inline-flex min-h-(--control) shrink-0 items-center justify-center gap-2 rounded-md border text-base font-medium whitespace-nowrap transition-colors duration-100 select-none disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-faint disabled:shadow-none'

const looks: Record<Look, string> = {
  main: 'border-transparent bg-accent text-on-accent shadow-low hover:bg-[color-mix(in_srgb,var(--color-accent)_90%,black)]',
  quiet: 'border-line bg-sheet text-ink shadow-low hover:bg-sunken',
  plain: 'border-transparent text-quiet hover:bg-sunken hover:text-ink',
  danger: 'border-transparent bg-danger-fill text-on-danger shadow-low hover:bg-[color-mix(in_srgb,var(--color-danger-fill)_90%,black)]',
}
