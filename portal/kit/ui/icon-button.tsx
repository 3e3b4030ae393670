import type { ButtonHTMLAttributes, Ref } from 'react'
import { Tooltip } from '#portal/kit/ui/tooltip.tsx'
import { type ButtonLook, buttonLook } from './button.tsx'
import { Icon, type IconName, Turning } from './icon.tsx'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  icon: IconName
  label: string
  look?: ButtonLook
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

/** A button with an icon. Screen readers read its label, and a tooltip shows it. */
export function IconButton({ icon, label, look = 'plain', busy = false, type = 'button', className = '', onClick, ...rest }: Props) {
  return (
    <Tooltip text={label} naming>
      <button
        {...rest}
        type={type}
        aria-label={label}
        aria-disabled={busy || rest['aria-disabled'] || undefined}
        aria-busy={busy || undefined}
        onClick={busy ? event => event.preventDefault() : onClick}
        className={`${buttonLook(look, 'min-w-(--control)')} ${className}`}
      >
        {busy ? <Turning /> : <Icon name={icon} />}
      </button>
    </Tooltip>
  )
}
