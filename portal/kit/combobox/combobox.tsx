import { type KeyboardEvent, type Ref, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useDismiss } from '#portal/kit/ui/floating.ts'
import { useWords } from '#portal/kit/words.tsx'
import { Chips, FieldButtons } from './parts.tsx'
import { Field, type FieldProps } from '#portal/kit/field/field.tsx'
import { loadOptionList, OptionList, useListLoaded } from './option-list.tsx'
import { exactMatch, type Option, search } from './options.ts'

type Common<Value extends string | number> = FieldProps & {
  name: string
  options: readonly Option<Value>[]
  /** True while the options are loading: the chosen values are shown unchanged, and typing is possible. */
  loading?: boolean | undefined
  /** True if the options could not be loaded. */
  failed?: boolean | undefined
  /** Returns what to type instead of a text that is too short to be searched, or that no option can have. */
  lack?: ((text: string) => string | undefined) | undefined
  /** Receives the typed text if the options are searched elsewhere. All options then match. */
  onQuery?: ((text: string) => void) | undefined
  /** Receives the typed text if it need not be an option. */
  onText?: ((text: string) => void) | undefined
  /** True if typing such a text highlights an option, which Tab picks. */
  narrows?: boolean | undefined
  onFocus?: (() => void) | undefined
  onBlur?: (() => void) | undefined
  placeholder?: string | undefined
  disabled?: boolean | undefined
  /** False if emptying the field keeps the chosen option. */
  clearable?: boolean | undefined
  autoComplete?: string | undefined
  /** -1 takes the field out of the Tab order, if its value is known and rarely changed. */
  tabIndex?: -1 | undefined
  ref?: Ref<HTMLInputElement> | undefined
}
type One<Value> = { multiple?: false | undefined; value: Value | null; onChange: (value: Value | null) => void }
type Several<Value> = { multiple: true; value: readonly Value[]; onChange: (value: Value[]) => void }

export type ComboboxProps<Value extends string | number> = Common<Value> & (One<Value> | Several<Value>)

/**
 * Lets the user choose one or several of many options by typing. The keys are those of the ARIA combobox pattern: the first arrow goes to the first
 * option, and Enter picks the highlighted one. Typing highlights an option if it narrows them to one, which Tab picks, too. Text that is not an
 * option is removed when the focus leaves the field; while options are loading, it is picked once they are there. Text that matches none is named in a
 * message, and kept unless it hides the chosen option. If any text is allowed, it is kept, and Tab picks the highlighted option.
 */
export function Combobox<Value extends string | number>(props: ComboboxProps<Value>) {
  const {
    options,
    loading = false,
    failed = false,
    onQuery,
    onText,
    narrows = !onText,
    placeholder,
    disabled,
    name,
    autoComplete = 'off',
    tabIndex,
    ref,
    label,
    hint,
    error,
    required,
    optional,
    hideLabel,
    className,
  } = props
  const { words } = useWords()
  const frame = useRef<HTMLDivElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [query, setQuery] = useState<string>()
  const [unknown, setUnknown] = useState<string>()
  // If undefined, the typed text decides.
  const [highlight, setHighlight] = useState<number | undefined>(-1)
  const isLoaded = useListLoaded(open)
  const chosen = chosenOf(props)
  const single = props.multiple ? undefined : chosen[0]
  const lack = props.lack?.(query ?? '')
  const { found: shown, isMeant } = useMemo(
    () => (onQuery ? { found: options, isMeant: true } : search(options, query ?? '')),
    [onQuery, options, query],
  )
  const listed = open && isLoaded && !(onText && !shown[0])
  const exact = query ? exactMatch(shown, query) : undefined
  // Options that are searched elsewhere are not sorted by similarity. Of several, Tab picks only one that was typed in full.
  const isSure = !(onQuery && shown[1]) || exact !== undefined
  const narrowed = !narrows || !isMeant ? -1 : exact && onQuery ? shown.indexOf(exact) : 0
  const active = highlight ?? narrowed
  const { isAwaited, setAwaited } = useAwaited(loading, options.length, picking => {
    const option = picking === 'first' ? shown[0] : exact
    if (option) pick(option, query)
    end()
  })
  const isPending = Boolean(loading && query?.trim() && !onText)
  const mayAwait = isPending && !onQuery
  useDismiss(open, [frame, popover], by => (by === 'escape' ? close() : setOpen(false)))

  function write(text: string | undefined) {
    setUnknown(undefined)
    setQuery(text)
  }
  function close() {
    setAwaited(undefined)
    setOpen(false)
    write(undefined)
    if (query !== undefined) onQuery?.('')
    setHighlight(-1)
  }
  function show(index = query ? undefined : -1) {
    if (open || disabled) return
    setOpen(true)
    setHighlight(single ? shown.indexOf(single) : index)
  }
  function type(text: string) {
    setAwaited(undefined)
    write(text)
    onQuery?.(text)
    onText?.(text)
    setOpen(true)
    setHighlight(text.trim() ? undefined : -1)
  }
  /** Moves the highlight. If typing has highlighted the first option, the first arrow still goes to that. */
  function move(by: number) {
    if (open) setHighlight(Math.min(shown.length - 1, Math.max(0, (highlight ?? -1) + by)))
    else show(by > 0 ? 0 : shown.length - 1)
  }
  /** Chooses an option, or removes it. Typing a choice again keeps it; a click, or the button of its chip, removes it. */
  function pick(option: Option<Value>, typed?: string) {
    if (!props.multiple) {
      props.onChange(option.value)
      return close()
    }
    if (!props.value.includes(option.value)) props.onChange([...props.value, option.value])
    else if (!typed) props.onChange(props.value.filter(value => value !== option.value))
    if (query) setHighlight(-1)
    write(undefined)
    // On a phone the list would cover the next fields. Another choice opens it again.
    if (matchMedia('(pointer: coarse)').matches) close()
  }
  function clear() {
    if (props.multiple) props.onChange([])
    else props.onChange(null)
    close()
  }
  /** Picks an option that was typed in full; clears the choice if the field was emptied. */
  function leave() {
    if (isAwaited || mayAwait) {
      setOpen(false)
      return setAwaited(picking => picking ?? 'exact')
    }
    if (exact) pick(exact, query)
    else if (query?.trim() === '' && single && props.clearable !== false) clear()
    end()
  }
  function end() {
    const text = query?.trim()
    close()
    if (text && !shown[0] && !onQuery && !onText && !failed) {
      setUnknown(lack ?? words('ui.combobox.none', { text }))
      if (!single) setQuery(query)
    }
    props.onBlur?.()
  }
  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (disabled) return
    const option = open ? shown[active] : undefined
    const by = moves[event.key]
    if (by !== undefined) {
      event.preventDefault()
      if (event.altKey && by < 0) close()
      else if (event.altKey) show()
      else move(by)
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      if (option) pick(option, query)
      else if (isPending) setAwaited('first')
      // The next Enter then sends the form, as with a single choice.
      if (option && query) setOpen(false)
    } else if (event.key === 'Tab') {
      if (option && (onText || (highlight === undefined && isSure))) pick(option, query)
      else if (mayAwait) setAwaited('first')
      // Closes the list before the focus moves: as a scrollable element, the list would take the focus.
      setOpen(false)
    } else if (event.key === 'Backspace' && props.multiple && !query) props.onChange(props.value.slice(0, -1))
  }

  return (
    <Field label={label} hint={hint} error={unknown ?? error} optional={optional} hideLabel={hideLabel} className={className}>
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
                // The native attribute, so that an empty field is invalid: its text is empty while several options are chosen.
                required={required && chosen.length === 0}
                aria-required={(required && chosen.length > 0) || undefined}
                autoComplete={autoComplete}
                tabIndex={tabIndex}
                // A locked field can still get the focus, so that its hint is read aloud.
                readOnly={disabled}
                aria-disabled={disabled || undefined}
                placeholder={chosen.length === 0 ? placeholder : undefined}
                value={query ?? single?.label ?? ''}
                onChange={event => type(event.target.value)}
                onClick={() => show()}
                onKeyDown={press}
                onFocus={event => {
                  void loadOptionList()
                  props.onFocus?.()
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
              failed={failed}
              lack={lack}
              query={query ?? ''}
              anchor={frame}
              popover={popover}
              onPick={index => {
                const option = shown[index]
                if (option) pick(option)
              }}
              onPoint={setHighlight}
            />
          )}
          <output className="sr-only">
            {open && query && !loading && !failed && !lack ? words('ui.combobox.found', { count: shown.length }) : ''}
          </output>
        </>
      )}
    </Field>
  )
}

const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

function chosenOf<Value extends string | number>({ options, loading, onText, multiple, value }: ComboboxProps<Value>): Option<Value>[] {
  const values = multiple ? value : value === null ? [] : [value]
  return values.flatMap(
    wanted =>
      options.find(option => option.value === wanted) ??
      ((loading || onText) && wanted !== '' ? { value: wanted, label: String(wanted) } : []),
  )
}

/** Picks the first matching option, or only one that was typed in full. */
export type Picking = 'first' | 'exact'

/**
 * Keeps text typed before the options were loaded, and picks the option once they are. A fast user thus types nothing twice. `pick` ends the wait.
 * Options may depend on another waiting field, so an empty list is not the final result yet.
 */
function useAwaited(isLoading: boolean, count: number, pick: (picking: Picking) => void) {
  const [awaited, setAwaited] = useState<Picking>()
  const settle = useEffectEvent(pick)
  const isReady = !isLoading && count > 0
  useEffect(() => {
    if (isReady && awaited) settle(awaited)
  }, [isReady, awaited])
  return { isAwaited: awaited !== undefined, setAwaited }
}
