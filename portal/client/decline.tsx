import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { wide } from './frame.tsx'

type Props = {
  label: string
  question: string
  confirm: string
  busy: boolean
  disabled: boolean
  onDecline: (event: FormEvent<HTMLFormElement>) => void
  /** Further fields of the question. */
  children?: ReactNode
}

/**
 * Declines in two steps, on the page itself. The question takes the focus, so that a second Enter declines nothing; Escape or Back returns it.
 */
export function Decline({ label, question, confirm, busy, disabled, onDecline, children }: Props) {
  const { words } = useWords()
  const [asks, setAsks] = useState<boolean>()
  const text = useRef<HTMLParagraphElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const leave = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'Escape' && !busy) setAsks(false)
  })
  useEffect(() => {
    if (asks) text.current?.focus()
    else if (asks === false) button.current?.focus()
    if (!asks) return undefined
    window.addEventListener('keydown', leave)
    return () => window.removeEventListener('keydown', leave)
  }, [asks])
  if (!asks)
    return (
      <Button ref={button} look="plain" className={wide} aria-disabled={disabled} onClick={() => disabled || setAsks(true)}>
        {label}
      </Button>
    )
  return (
    <div role="group" aria-label={label} className="border-t border-hair pt-4">
      <form
        noValidate
        className="grid gap-3"
        onSubmit={event => {
          event.preventDefault()
          if (!disabled) onDecline(event)
        }}
      >
        <p ref={text} tabIndex={-1} className="outline-none">
          {question}
        </p>
        {children}
        <Button type="submit" look="danger" className={wide} busy={busy} aria-disabled={disabled}>
          {confirm}
        </Button>
        <Button look="quiet" className={wide} aria-disabled={busy} onClick={() => busy || setAsks(false)}>
          {words('client.back')}
        </Button>
      </form>
    </div>
  )
}
