import { useEffect, useRef, useState } from 'react'
import { useEscape } from '#portal/kit/overlay/escape.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { wide } from '../frame.tsx'

type Props = { agency: string; busy: boolean; disabled: boolean; onDecline: () => void }

/**
 * Declines an offer in two steps, on the page itself. The question takes the focus, so that a second Enter declines nothing; Escape or Back returns
 * it.
 */
export function Decline({ agency, busy, disabled, onDecline }: Props) {
  const { words } = useWords()
  const [asks, setAsks] = useState<boolean>()
  const question = useRef<HTMLParagraphElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEscape(asks && !busy ? () => setAsks(false) : undefined)
  useEffect(() => {
    if (asks) question.current?.focus()
    else if (asks === false) button.current?.focus()
  }, [asks])
  if (!asks)
    return (
      <Button ref={button} look="plain" className={wide} aria-disabled={disabled} onClick={() => disabled || setAsks(true)}>
        {words('offer.decline')}
      </Button>
    )
  return (
    <div role="group" aria-label={words('offer.decline')} className="grid gap-3 border-t border-hair pt-4">
      <p ref={question} tabIndex={-1} className="outline-none">
        {words('offer.decline_hint', { agency })}
      </p>
      <Button look="danger" className={wide} busy={busy} aria-disabled={disabled} onClick={() => disabled || onDecline()}>
        {words('offer.decline_confirm')}
      </Button>
      <Button look="quiet" className={wide} aria-disabled={busy} onClick={() => busy || setAsks(false)}>
        {words('client.back')}
      </Button>
    </div>
  )
}
