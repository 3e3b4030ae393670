import type { ButtonHTMLAttributes } from 'react'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { look?: 'main' | 'quiet'; busy?: boolean }

/** A button that cannot be pressed twice while what it does is under way. It keeps the focus meanwhile. */
export function Button({ look = 'main', busy = false, className = '', onClick, children, ...rest }: Props) {
  const looks = {
    main: 'bg-accent text-on-accent hover:brightness-110',
    quiet: 'border border-line bg-sheet text-ink hover:bg-page',
  }
  return (
    <button
      {...rest}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? event => event.preventDefault() : onClick}
      className={`min-h-11 rounded-md px-4 font-medium transition aria-disabled:opacity-60 ${looks[look]} ${className}`}
    >
      {children}
    </button>
  )
}
