import type { Ref } from 'react'

type Props<Value extends string> = {
  label: string
  name: string
  value: Value | ''
  onChange: (value: Value) => void
  onBlur?: (() => void) | undefined
  options: readonly { value: Value; label: string }[]
  ref?: Ref<HTMLInputElement> | undefined
}

/** A choice among a few short options in one line, made of the browser's radio buttons. */
export function Segmented<Value extends string>({ label, name, value, onChange, onBlur, options, ref }: Props<Value>) {
  return (
    <fieldset className="inline-flex gap-0.5 rounded-lg bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option, index) => (
        <label key={option.value} className="people-segment text-sm font-semibold whitespace-nowrap text-quiet hover:text-ink">
          {option.label}
          <input
            ref={index === 0 ? ref : undefined}
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            onBlur={onBlur}
            className="absolute inset-0 cursor-pointer appearance-none rounded-md outline-none"
          />
        </label>
      ))}
    </fieldset>
  )
}
