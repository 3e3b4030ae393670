import { useEffect, useState } from 'react'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { shortcut, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { focusFirstRow } from './rows.ts'

type Props = {
  label: string
  hideLabel?: boolean
  /** Shown in the field in place of a hidden label that is too long for it. */
  placeholder?: string
  name: string
  text: string | undefined
  onText: (text: string) => void
  maxLength?: number
  /** True for a magnifier icon, in the list's main search. */
  icon?: boolean
  className?: string
}

const restMs = 150

/** Searches when the user has paused typing for 150 ms. The down arrow goes to the first row. */
export function SearchFilter({
  label,
  hideLabel = false,
  placeholder = label,
  name,
  text = '',
  onText,
  maxLength = 200,
  icon = true,
  className,
}: Props) {
  const [typed, setTyped] = useState(text)
  const [shown, setShown] = useState(text)
  const [sent, setSent] = useState(text)
  // The URL was changed elsewhere: by the back button, or a link.
  if (text !== shown) {
    setShown(text)
    if (text !== sent) setTyped(text)
    // Forgets the text sent before, as the back button may return to the same text.
    setSent(text)
  }
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(() => {
      setSent(typed)
      onText(typed)
    }, restMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- a new `onText` must not restart the pause
  }, [typed, text])
  return (
    <TextField
      label={label}
      hideLabel={hideLabel}
      name={name}
      type="search"
      {...shortcut('search')}
      maxLength={maxLength}
      placeholder={hideLabel ? placeholder : undefined}
      before={icon ? <Icon name="search" className="ml-3 size-4 text-quiet" /> : undefined}
      after={icon && typed === '' ? <Keys keys={shortcuts.search} className="mr-2 text-faint" /> : undefined}
      value={typed}
      onChange={event => setTyped(event.target.value)}
      onKeyDown={event => {
        if (event.key === 'ArrowDown' && focusFirstRow()) event.preventDefault()
      }}
      className={className}
    />
  )
}
