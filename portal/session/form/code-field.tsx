import { useEffect, useRef } from 'react'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** The field for a code of the second factor, or for a recovery code. It takes the focus. */
export function CodeField() {
  const { words } = useWords()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <TextField
      ref={input}
      data-again
      label={words('session.code.label')}
      hint={words('session.code.hint')}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={40}
      required
    />
  )
}
