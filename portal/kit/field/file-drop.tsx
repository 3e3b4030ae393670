import { type DragEvent, type Ref, useId, useState } from 'react'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { describedBy, FieldNotes, type FieldProps, labelLook } from './field.tsx'

type Props = Omit<FieldProps, 'hideLabel'> & {
  name: string
  value: readonly File[]
  onChange: (files: File[]) => void
  onBlur?: (() => void) | undefined
  /** The accepted file endings, such as `.pdf`. */
  accept: readonly string[]
  megabytes: number
  multiple?: boolean
  disabled?: boolean | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** A field for files, dropped or chosen. It refuses files that are too large or of another kind, and names them. */
export function FileDrop({
  label,
  hint,
  error,
  className = '',
  name,
  value,
  onChange,
  onBlur,
  accept,
  megabytes,
  multiple = false,
  disabled,
  ref,
}: Props) {
  const { words } = useWords()
  const id = useId()
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<string>()
  const kinds = accept.map(ending => ending.replace('.', '').toUpperCase()).join(', ')

  function addFiles(list: FileList | null) {
    const files = [...(list ?? [])].slice(0, multiple ? undefined : 1)
    const problems = files.map(file => problemOf(file, accept, megabytes, words))
    setRefused(problems.find(Boolean))
    const good = files.filter((_, index) => !problems[index])
    if (good.length > 0) onChange(multiple ? [...value, ...good.filter(file => !value.some(each => keyOf(each) === keyOf(file)))] : good)
  }
  const drag = (entering: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(entering && !disabled)
  }
  const message = refused ?? error
  return (
    <div className={`grid content-start gap-1.5 ${className}`}>
      <span id={`${id}-label`} className={labelLook}>
        {label}
      </span>
      <div
        role="none"
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={event => {
          drag(false)(event)
          if (!disabled) addFiles(event.dataTransfer.files)
        }}
      >
        <label
          data-over={over || undefined}
          className={`grid justify-items-center gap-1 rounded-lg border border-dashed border-field-line p-4 text-center transition-colors hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink has-aria-invalid:border-danger data-over:border-ink data-over:bg-sunken ${disabled ? 'cursor-not-allowed bg-sunken text-quiet' : 'bg-sheet'}`}
        >
          <Icon name="upload" className="size-5 text-quiet" />
          <span className="font-medium">{words(multiple ? 'ui.file.choose_several' : 'ui.file.choose')}</span>
          <span className="text-sm text-quiet">{words('ui.file.limit', { kinds, megabytes })}</span>
          <input
            ref={ref}
            type="file"
            name={name}
            accept={accept.join(',')}
            multiple={multiple}
            aria-disabled={disabled || undefined}
            onClick={event => disabled && event.preventDefault()}
            aria-labelledby={`${id}-label`}
            aria-invalid={message ? true : undefined}
            aria-describedby={describedBy(id, hint, message)}
            onChange={event => {
              addFiles(event.target.files)
              // Lets the user choose the same file again after removing it.
              event.target.value = ''
            }}
            onBlur={onBlur}
            className="sr-only"
          />
        </label>
      </div>
      {value.length > 0 && (
        <ul className="grid gap-1">
          {value.map(file => (
            <li key={keyOf(file)} className="flex items-center gap-2 rounded-md border border-line bg-sheet pl-3">
              <Icon name="file" className="size-4 text-quiet" />
              <span className="min-w-0 flex-1 truncate">{file.name}</span>
              <span className="text-sm text-quiet">{sizeOf(file.size)}</span>
              <IconButton
                icon="x"
                label={words('ui.file.remove', { name: file.name })}
                aria-disabled={disabled || undefined}
                onClick={() => disabled || onChange(value.filter(each => each !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      <FieldNotes id={id} hint={hint} error={message} label={label} />
    </div>
  )
}

const keyOf = (file: File): string => `${file.name} ${file.size} ${file.lastModified}`

function problemOf(file: File, accept: readonly string[], megabytes: number, words: Words): string | undefined {
  const { name } = file
  if (!accept.some(ending => name.toLowerCase().endsWith(ending)))
    return words('ui.file.wrong_kind', { name, kinds: accept.map(ending => ending.slice(1).toUpperCase()).join(', ') })
  return file.size > megabytes * 1_000_000 ? words('ui.file.too_big', { name, megabytes }) : undefined
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
