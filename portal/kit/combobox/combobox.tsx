import { type KeyboardEvent, type Ref, useMemo, useRef, useState } from 'react'
import { useDismiss } from '#portal/kit/ui/floating.ts'
import { useWords } from '#portal/kit/words.tsx'
import { Chips, FieldButtons } from './parts.tsx'
import { Field, type FieldProps } from '#portal/kit/field/field.tsx'
import { loadOptionList, OptionList, useListLoaded } from './option-list.tsx'
import { matching, exactMatch, type Option } from './options.ts'

type Common<Value extends string | number> = FieldProps & {
  name: string
  options: readonly Option<Value>[]
  /** True while the options are loading: the chosen values are shown as they are, and typing may begin. */
  loading?: boolean | undefined
  /** Receives the typed text if the options are searched elsewhere: then all options match. */
  onQuery?: ((text: string) => void) | undefined
  onBlur?: (() => void) | undefined
  placeholder?: string | undefined
  disabled?: boolean | undefined
  /** False if emptying the field keeps the chosen option. */
  clearable?: boolean | undefined
  autoComplete?: string | undefined
  ref?: Ref<HTMLInputElement> | undefined
}
type One<Value> = { multiple?: false | undefined; value: Value | null; onChange: (value: Value | null) => void }
type Several<Value> = { multiple: true; value: readonly Value[]; onChange: (value: Value[]) => void }

export type ComboboxProps<Value extends string | number> = Common<Value> & (One<Value> | Several<Value>)

/**
 * Lets the user choose one or several of many options by typing.
 *
 * The keys are those of the ARIA combobox pattern. Text that is not an option is removed when the focus leaves the field.
 */
export function Combobox<Value extends string | number>(props: ComboboxProps<Value>) {
  const {
    options,
    loading = false,
    onQuery,
    placeholder,
    disabled,
    name,
    autoComplete = 'off',
    ref,
    label,
    hint,
    error,
    required,
    hideLabel,
    className,
  } = props
  const { words } = useWords()
  const frame = useRef<HTMLDivElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [query, setQuery] = useState<string>()
  const [active, setActive] = useState(-1)
  const isLoaded = useListLoaded(open)
  const listed = open && isLoaded
  const shown = useMemo(() => (onQuery ? options : matching(options, query ?? '')), [onQuery, options, query])
  const chosen = chosenOf(props)
  const single = props.multiple ? undefined : chosen[0]
  useDismiss(open, [frame, popover], by => (by === 'escape' ? close() : setOpen(false)))

  function close() {
    setOpen(false)
    setQuery(undefined)
    setActive(-1)
  }
  function show(index = query ? 0 : -1) {
    if (open || disabled) return
    setOpen(true)
    setActive(single ? shown.indexOf(single) : index)
  }
  function type(text: string) {
    setQuery(text)
    onQuery?.(text)
    setOpen(true)
    setActive(text.trim() ? 0 : -1)
  }
  function pick(option: Option<Value>) {
    if (!props.multiple) {
      props.onChange(option.value)
      return close()
    }
    props.onChange(
      props.value.includes(option.value) ? props.value.filter(value => value !== option.value) : [...props.value, option.value],
    )
    if (query) setActive(-1)
    setQuery(undefined)
  }
  function clear() {
    if (props.multiple) props.onChange([])
    else props.onChange(null)
    close()
  }
  /** Picks the option that was typed in full; clears the choice if the field was emptied. */
  function leave() {
    const typed = query === undefined ? undefined : exactMatch(options, query)
    if (typed && !chosen.includes(typed)) pick(typed)
    else if (query?.trim() === '' && single && props.clearable !== false) clear()
    close()
    props.onBlur?.()
  }
  function press(event: KeyboardEvent<HTMLInputElement>) {
    const option = open ? shown[active] : undefined
    const by = moves[event.key]
    if (by !== undefined) {
      event.preventDefault()
      if (event.altKey && by < 0) close()
      else if (event.altKey) show()
      else if (open) setActive(Math.min(shown.length - 1, Math.max(0, active + by)))
      else show(by > 0 ? 0 : shown.length - 1)
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      if (option) pick(option)
    } else if (event.key === 'Tab') {
      if (option && query?.trim()) pick(option)
      // Closes the list before the focus moves: as a scrollable element, the list would take the focus.
      setOpen(false)
    } else if (event.key === 'Backspace' && props.multiple && !query) props.onChange(props.value.slice(0, -1))
  }

  return (
    <Field label={label} hint={hint} error={error} required={required} hideLabel={hideLabel} className={className}>
      {control => (
        <>
          <div ref={frame} className="control flex items-stretch">
            <span
              className={`flex min-w-0 flex-1 flex-wrap gap-1 ${props.multiple ? 'py-[calc((var(--control)-2px-1.75rem)/2)] pl-1' : 'pl-3'}`}
            >
              {props.multiple && <Chips chosen={chosen} disabled={disabled} onRemove={pick} />}
              <input
                {...control}
                ref={ref}
                name={name}
                role="combobox"
                aria-expanded={listed}
                aria-controls={listed ? `${control.id}-list` : undefined}
                aria-autocomplete="list"
                aria-activedescendant={listed && shown[active] ? `${control.id}-${active}` : undefined}
                aria-required={required}
                autoComplete={autoComplete}
                disabled={disabled}
                placeholder={chosen.length === 0 ? placeholder : undefined}
                value={query ?? single?.label ?? ''}
                onChange={event => type(event.target.value)}
                onClick={() => show()}
                onKeyDown={press}
                onFocus={event => {
                  void loadOptionList()
                  event.target.select()
                }}
                onBlur={leave}
                className={`typed min-h-7 min-w-16 text-ellipsis ${props.multiple ? 'pl-1.5' : ''}`}
              />
            </span>
            <FieldButtons
              label={label}
              open={open}
              onToggle={() => (open ? close() : show())}
              onClear={chosen.length > 0 && props.clearable !== false && !disabled ? clear : undefined}
              disabled={disabled}
              frame={frame}
            />
          </div>
          {listed && (
            <OptionList
              id={control.id}
              label={label}
              options={shown}
              chosen={chosen}
              active={active}
              multiple={props.multiple ?? false}
              loading={loading}
              query={query ?? ''}
              anchor={frame}
              popover={popover}
              onPick={index => {
                const option = shown[index]
                if (option) pick(option)
              }}
              onPoint={setActive}
            />
          )}
          <output className="sr-only">{open && query && !loading ? words('ui.combobox.found', { count: shown.length }) : ''}</output>
        </>
      )}
    </Field>
  )
}

const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

function chosenOf<Value extends string | number>({ options, loading, multiple, value }: ComboboxProps<Value>): Option<Value>[] {
  const values = multiple ? value : value === null ? [] : [value]
  return values.flatMap(
    wanted => options.find(option => option.value === wanted) ?? (loading && wanted !== '' ? { value: wanted, label: String(wanted) } : []),
  )
}
