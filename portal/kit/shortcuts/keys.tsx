import { Fragment } from 'react'
import { useWords, type Words } from '#portal/kit/words.tsx'

type Props = {
  /** The keys of a shortcut, as `aria-keyshortcuts` writes them: `Control+Enter`. `1–9` is any of these. */
  keys: string
  className?: string
}

/** The caps of keys, one a key, named as keyboards of the language name them. */
export function Caps({ keys, className = '' }: Props) {
  const { words } = useWords()
  return (
    <span className={`inline-flex items-center gap-1 ${className}`}>
      {keys.split(/[+–]/).map((key, index) => (
        <Fragment key={key}>
          {index > 0 && keys.includes('–') && '–'}
          <kbd className="kbd">{key === 'Enter' ? <Enter /> : capOf(key, words)}</kbd>
        </Fragment>
      ))}
    </span>
  )
}

/** The keys of a control, in it. Screen readers know them from `aria-keyshortcuts`, and touch screens have none. */
export const Keys = ({ keys, className = '' }: Props) => (
  <span aria-hidden="true" className={`inline-flex pointer-coarse:hidden ${className}`}>
    <Caps keys={keys} />
  </span>
)

function Enter() {
  const { words } = useWords()
  return (
    <>
      <span aria-hidden="true">↵</span>
      <span className="sr-only">{words('ui.key.enter')}</span>
    </>
  )
}

function capOf(key: string, words: Words): string {
  if (key === 'Control') return 'Ctrl'
  if (key === 'Delete') return words('ui.key.delete')
  if (key === 'Escape') return words('ui.key.escape')
  if (key === 'Shift') return words('ui.key.shift')
  return key.length === 1 ? key.toUpperCase() : key
}
