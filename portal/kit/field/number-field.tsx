import { type KeyboardEvent, type ReactNode, type Ref, useState } from 'react'
import type { Locale } from '#common/kit/locales.ts'
import { currencySign } from '#common/kit/money.ts'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { FieldProps } from './field.tsx'
import { readNumber, isSignFirst, writeNumber } from './number-text.ts'
import { TextField } from './text-field.tsx'

/** Null, a number, or typed text that is not a number, which a rule then refuses. */
export type NumberValue = number | string | null

type Props = FieldProps & {
  name: string
  value: NumberValue
  onChange: (value: NumberValue) => void
  onBlur?: (() => void) | undefined
  min?: number | undefined
  max?: number | undefined
  disabled?: boolean | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** A field for a whole number. Buttons and the arrow keys change it by one step. */
export function NumberField({ value, onChange, min, max, step = 1, ...rest }: Props & { step?: number }) {
  const { words } = useWords()
  const number = typeof value === 'number' ? value : undefined
  const clamped = (next: number) => Math.min(max ?? next, Math.max(min ?? next, next))
  const move = (by: number) => onChange(clamped((number ?? (min ?? 0) - by) + by))
  const buttons = (
    <span className="flex">
      {([-step, step] as const).map(by => (
        <IconButton
          key={by}
          icon={by < 0 ? 'minus' : 'plus'}
          label={words(by < 0 ? 'ui.number.less' : 'ui.number.more', { label: rest.label })}
          tabIndex={-1}
          aria-disabled={rest.disabled || (number !== undefined && clamped(number + by) === number)}
          className="off:bg-transparent"
          onClick={() => rest.disabled || move(by)}
        />
      ))}
    </span>
  )
  return (
    <TypedNumber
      {...rest}
      value={value}
      onChange={onChange}
      decimals={{ least: 0, most: 0 }}
      after={buttons}
      onKeyDown={event => {
        const by = { ArrowUp: step, ArrowDown: -step }[event.key]
        if (by === undefined) return
        event.preventDefault()
        move(by)
      }}
    />
  )
}

/** A field for an amount in major units, such as 45.5. The language decides where the currency's sign is. */
export function MoneyField({ currency, ...rest }: Omit<Props, 'min' | 'max'> & { currency?: string }) {
  const { locale } = useWords()
  const sign = (
    <span aria-hidden="true" className={`text-quiet ${isSignFirst(locale) ? 'pl-3' : 'pr-1.5'}`}>
      {currencySign(locale, currency)}
    </span>
  )
  return <TypedNumber {...rest} decimals={{ least: 2, most: 2 }} {...(isSignFirst(locale) ? { before: sign } : { after: sign })} />
}

type TypedProps = Omit<Props, 'min' | 'max'> & {
  decimals: { least: number; most: number }
  before?: ReactNode
  after?: ReactNode
  onKeyDown?: (event: KeyboardEvent) => void
}

/** Shows the text as typed while the user types, and formats it for the language afterwards. */
function TypedNumber({ value, onChange, onBlur, decimals, ...rest }: TypedProps) {
  const { locale } = useWords()
  const [typed, setTyped] = useState<string>()
  const read = (text: string): NumberValue => (text.trim() === '' ? null : (readNumber(text, locale) ?? text))
  const current = typed !== undefined && Object.is(read(typed), value)
  return (
    <TextField
      {...rest}
      inputMode={decimals.most > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      value={current ? typed : formatted(value, locale, decimals)}
      onChange={event => {
        setTyped(event.target.value)
        onChange(read(event.target.value))
      }}
      onBlur={() => {
        setTyped(undefined)
        onBlur?.()
      }}
    />
  )
}

/** Formats a value with all its decimals, so that the user sees the excess ones that a rule refuses. */
function formatted(value: NumberValue, locale: Locale, { least, most }: TypedProps['decimals']): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return String(value ?? '')
  const decimals = (String(value).split('.')[1] ?? '').length
  return writeNumber(value, locale, { least, most: Math.max(most, Math.min(20, decimals)) })
}
