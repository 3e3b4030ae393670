import type { ComponentProps } from 'react'
import { Combobox, type ComboboxProps } from '#portal/kit/combobox/combobox.tsx'
import type { Option } from '#portal/kit/combobox/options.ts'
import { Checkbox, type Flag } from '#portal/kit/field/choices.tsx'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { TextArea, TextField, type TextFieldProps } from '#portal/kit/field/text-field.tsx'
import { Bound, type BoundProps } from './rules-form.tsx'

type SetByForm = 'value' | 'checked' | 'onChange' | 'onBlur' | 'ref' | 'error' | 'label'
/** The props of a field, without those that the form sets. */
export type BoundPropsOf<Props, Value> = Omit<Props, SetByForm> & BoundProps<Value> & { label: string }

// The fields of kit/field, connected with the form around them. Their names are the spec's, and the paths of the rules.

export const BoundText = ({
  also,
  onChanged,
  tidy,
  ...field
}: BoundPropsOf<TextFieldProps, string> & { tidy?: (text: string) => string }) => (
  <Bound<string> name={field.name} label={field.label} also={also} onChanged={onChanged}>
    {({ onChange, onBlur, ...bound }) => (
      <TextField
        optional={!field.required}
        {...field}
        {...bound}
        onChange={event => onChange(event.target.value)}
        onBlur={() => {
          const text = tidy?.(bound.value)
          if (text !== undefined && text !== bound.value) onChange(text)
          onBlur()
        }}
      />
    )}
  </Bound>
)

/** Removes the separators between the groups of a number, which people copy but which are not stored. */
export const ungrouped = (text: string): string => text.replaceAll(/[\s.\-/()]/g, '')

export const BoundTextArea = ({ also, onChanged, ...field }: BoundPropsOf<ComponentProps<typeof TextArea>, string>) => (
  <Bound<string> name={field.name} label={field.label} also={also} onChanged={onChanged}>
    {({ onChange, ...bound }) => (
      <TextArea optional={!field.required} {...field} {...bound} onChange={event => onChange(event.target.value)} />
    )}
  </Bound>
)

export const BoundDate = ({ also, onChanged, ...field }: BoundPropsOf<ComponentProps<typeof DateField>, string>) => (
  <Bound<string> empty="" name={field.name} label={field.label} also={also} onChanged={onChanged}>
    {bound => <DateField optional={!field.required} {...field} {...bound} />}
  </Bound>
)

export const BoundSelect = ({ also, onChanged, ...field }: BoundPropsOf<ComponentProps<typeof Select>, string>) => (
  <Bound<string> chosen name={field.name} label={field.label} also={also} onChanged={onChanged}>
    {bound => <Select optional={!field.required && Boolean(field.placeholder)} {...field} {...bound} />}
  </Bound>
)

type BoundComboboxProps<Value extends string | number> = BoundPropsOf<Omit<ComboboxProps<Value>, 'multiple'>, Value | null> & {
  options: readonly Option<Value>[]
}

export const BoundCombobox = <Value extends string | number>({ also, onChanged, ...field }: BoundComboboxProps<Value>) => (
  <Bound<Value | null> chosen name={field.name} label={field.label} also={also} onChanged={onChanged}>
    {bound => <Combobox<Value> optional={!field.required} {...field} {...bound} />}
  </Bound>
)

export type BoundFlagProps = Omit<Flag, SetByForm> & BoundProps<boolean> & { label: string }

export const BoundCheckbox = ({ also, onChanged, label, ...field }: BoundFlagProps) => (
  <Bound<boolean> chosen name={field.name} label={label} also={also} onChanged={onChanged}>
    {({ value, ...bound }) => <Checkbox {...field} {...bound} label={label} checked={value} />}
  </Bound>
)
