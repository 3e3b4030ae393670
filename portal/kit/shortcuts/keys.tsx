type Props = {
  /** The keys of a shortcut, as `aria-keyshortcuts` writes them: `Control+Enter`. `1–9` is any of these. */
  keys: string
  className?: string
  'aria-hidden'?: true
}

const signs: Record<string, string> = { Control: 'Ctrl', Enter: '↵', Escape: 'Esc' }

/** The caps of keys, one for each key. */
export const Caps = ({ keys, className = '', ...rest }: Props) => (
  <span {...rest} className={`inline-flex items-center gap-1 ${className}`}>
    {keys.split(/\+|(–)/).map(
      key =>
        key &&
        (key === '–' ? (
          key
        ) : (
          <kbd key={key} className="kbd">
            {signs[key] ?? (key[1] ? key : key.toUpperCase())}
          </kbd>
        )),
    )}
  </span>
)

/** The keys of a control, shown inside it. Screen readers get them from `aria-keyshortcuts`, and touch screens have none. */
export const Keys = ({ keys, className = '' }: Pick<Props, 'keys' | 'className'>) => (
  <Caps keys={keys} className={`pointer-coarse:hidden ${className}`} aria-hidden />
)
