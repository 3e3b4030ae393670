import type { RefObject } from 'react'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Option } from './options.ts'

/** The chosen options, each with a button that removes it. Backspace removes the last one. */
export function Chips<Chosen extends Option<string | number>>({
  chosen,
  disabled,
  onRemove,
}: {
  chosen: readonly Chosen[]
  disabled: boolean | undefined
  onRemove: (option: Chosen) => void
}) {
  const { words } = useWords()
  return chosen.map(option => (
    <span
      key={option.value}
      className="inline-flex min-h-7 max-w-full items-center rounded-sm bg-sunken text-sm inset-ring inset-ring-line"
    >
      <span className="truncate py-0.5 pl-2">{option.label}</span>
      <button
        type="button"
        tabIndex={-1}
        aria-disabled={disabled || undefined}
        aria-label={words('ui.combobox.remove', { name: option.label })}
        onMouseDown={event => event.preventDefault()}
        onClick={() => disabled || onRemove(option)}
        className="grid size-7 place-items-center rounded-sm text-quiet hover:text-ink off:cursor-not-allowed off:text-faint pointer-coarse:size-9"
      >
        <Icon name="x" className="size-3.5" />
      </button>
    </span>
  ))
}

type FieldButtonsProps = {
  label: string
  open: boolean
  onToggle: () => void
  onClear: (() => void) | undefined
  disabled: boolean | undefined
  frame: RefObject<HTMLElement | null>
}

/** The buttons at the end of the field. They leave the focus in the text field. */
export function FieldButtons({ label, open, onToggle, onClear, disabled, frame }: FieldButtonsProps) {
  const { words } = useWords()
  const press = (act: () => void) => () => {
    frame.current?.querySelector('input')?.focus()
    act()
  }
  return (
    <span className="flex">
      {onClear && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={words('ui.combobox.clear', { label })}
          onMouseDown={event => event.preventDefault()}
          onClick={press(onClear)}
          className={buttonClass}
        >
          <Icon name="x" />
        </button>
      )}
      <button
        type="button"
        tabIndex={-1}
        aria-disabled={disabled || undefined}
        aria-label={words('ui.combobox.open', { label })}
        aria-expanded={open}
        onMouseDown={event => event.preventDefault()}
        onClick={press(onToggle)}
        className={buttonClass}
      >
        <Icon name="chevron-down" />
      </button>
    </span>
  )
}

const buttonClass =
  'grid w-8 place-items-center rounded-md text-quiet hover:text-ink off:cursor-not-allowed off:text-faint pointer-coarse:w-11'
